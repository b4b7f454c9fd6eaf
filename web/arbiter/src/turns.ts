// Work that is done bit by bit, so that the page is never deaf.

/** Resolves when what waits (a tap, a frame) has had its turn. */
export function nextTask(): Promise<void> {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(null);
  });
}

const queue: (() => void)[] = [];
let drawn = false;

/** Does one of what waits in each frame; gives what takes it back. */
export function inTurn(work: () => void): () => void {
  queue.push(work);
  if (!drawn) {
    drawn = true;
    requestAnimationFrame(next);
  }
  return () => {
    const at = queue.indexOf(work);
    if (at >= 0) queue.splice(at, 1);
  };
}

function next(): void {
  queue.shift()?.();
  drawn = queue.length > 0;
  if (drawn) requestAnimationFrame(next);
}
