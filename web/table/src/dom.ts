// Elements, made without markup: every word is a text node.

type Child = Node | string;

export function el<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Readonly<Record<string, string | boolean>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === true) element.setAttribute(key, "");
    else if (value !== false) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** Writes only what has changed: the page is drawn at every frame. */
export function say(element: Element, words: string): void {
  if (element.textContent !== words) element.textContent = words;
}

export function mark(element: HTMLElement, name: string, value: string): void {
  if (element.dataset[name] !== value) element.dataset[name] = value;
}

/** A button that has to be held: what it does is done when it was held long enough, and a touch in passing does nothing. */
export function held(button: HTMLButtonElement, ms: number, done: (at: number) => void): void {
  let timer = 0;
  const end = (): void => {
    clearTimeout(timer);
    delete button.dataset["held"];
  };
  const begin = (): void => {
    end();
    button.dataset["held"] = "";
    timer = setTimeout(() => {
      end();
      done(performance.now());
    }, ms);
  };
  button.style.setProperty("--hold", `${ms}ms`);
  button.addEventListener("pointerdown", (event) => {
    button.setPointerCapture(event.pointerId);
    begin();
  });
  for (const name of ["pointerup", "pointercancel", "blur"]) button.addEventListener(name, end);
  button.addEventListener("keydown", (event) => {
    if ((event.key === "Enter" || event.key === " ") && !event.repeat) begin();
  });
  button.addEventListener("keyup", end);
}
