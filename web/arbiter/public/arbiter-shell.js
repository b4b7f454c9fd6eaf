// The console's shell for a moment without network: its own files and the pieces, always asked of the hub first. Nothing that the hub
// says of the hall is kept; what the page shows then is what it last heard, and it says so.

const KEPT = "flagfall-arbiter";
const SHELL = ["/arbiter", "/arbiter/console.js", "/arbiter/console.css", "/arbiter/console.webmanifest", "/arbiter/icon.svg"];
const PATIENCE_MS = 3000;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(SHELL)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const ours = SHELL.includes(url.pathname) || url.pathname.startsWith("/pieces/");
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
