// The clock's page, and the recorder's, for a reload without network: its own files, asked of the hub first. Nothing that the hub says is kept.

const KEPT = "flagfall-table";
const PATIENCE_MS = 1500;

self.addEventListener("install", (event) => {
  const pieces = ["w", "b"].flatMap((side) => [..."KQRBNP"].map((role) => `/pieces/${side}${role}.svg`));
  const files = ["/table/table.js", "/table/table.css", ...pieces];
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(files)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const ours = url.pathname.startsWith("/table/") || url.pathname.startsWith("/pieces/");
  if (request.method !== "GET" || url.origin !== self.location.origin || !ours) return;
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
