// The clock's page for a reload without network: its own files, asked of the hub first. Nothing that the hub says is kept.

const KEPT = "flagfall-table";
const PATIENCE_MS = 1500;

self.addEventListener("install", (event) => {
  const files = ["/table/table.js", "/table/table.css"];
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(files)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin || !url.pathname.startsWith("/table/")) return;
  event.respondWith(fresh(request, url.pathname));
});

async function fresh(request, path) {
  const cache = await caches.open(KEPT);
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (answer.ok) await cache.put(path, answer.clone());
    return answer;
  } catch (error) {
    const kept = await cache.match(path);
    if (kept) return kept;
    throw error;
  }
}
