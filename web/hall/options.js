// What the page's address asks for: ?tables=1-8,12 · ?theme=light|dark · ?page=2 (stay there) · ?seconds=20 (a page stands so long).

/** The options in a query string; `errors` says in words what was not understood. */
export function optionsFrom(query) {
  const asked = new URLSearchParams(query);
  const errors = [];
  const whole = (name, least, otherwise) => {
    const text = asked.get(name);
    if (text === null) return otherwise;
    if (/^\d{1,5}$/.test(text) && Number(text) >= least) return Number(text);
    errors.push(`${name}=${text} is not understood: write a number from ${least}`);
    return otherwise;
  };

  let tables = asked.get("tables");
  if (tables !== null && !/^\d{1,9}(-\d{1,9})?(,\d{1,9}(-\d{1,9})?)*$/.test(tables)) {
    errors.push(`tables=${tables} is not understood: write table numbers like 1-8,12`);
    tables = null;
  }
  const theme = asked.get("theme");
  if (theme !== null && theme !== "light" && theme !== "dark") {
    errors.push(`theme=${theme} is not understood: write light or dark`);
  }
  return {
    tables,
    theme: theme === "light" || theme === "dark" ? theme : null,
    page: whole("page", 1, null),
    seconds: whole("seconds", 3, 15),
    errors,
  };
}
