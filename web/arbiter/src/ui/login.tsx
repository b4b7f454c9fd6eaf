// Who has no token, or one that is no good.

import { useState } from "preact/hooks";
import { enter, loginNote, relearn } from "../app";
import { change, prefs } from "../prefs";
import { LANGUAGES, t, TAGS, type Language } from "../words";

export function Login({ again }: { again: () => void }) {
  const [given, set] = useState("");
  const note =
    loginNote === "no-token"
      ? t("login.no.token")
      : loginNote === "not-allowed"
        ? t("login.not.allowed")
        : loginNote === "logged-out"
          ? t("login.logged.out")
          : null;
  return (
    <main class="login">
      <img src="/arbiter/icon.svg" alt="" width="72" height="72" />
      <h1>{t("login.title")}</h1>
      {note === null ? null : (
        <p class="note" role="alert">
          {note}
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (given.trim() !== "") enter(given);
        }}
      >
        <label class="field">
          <span>{t("login.token")}</span>
          <input
            type="password"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            required
            autofocus
            value={given}
            onInput={(event) => set(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="main">
          {t("login.enter")}
        </button>
      </form>
      <p class="help">{t("login.help")}</p>
      <LanguageChoice again={again} />
    </main>
  );
}

export function LanguageChoice({ again }: { again: () => void }) {
  return (
    <div class="choices" role="group" aria-label={t("language")}>
      {(Object.keys(LANGUAGES) as Language[]).map((language) => (
        <button
          type="button"
          key={language}
          lang={TAGS[language]}
          aria-pressed={prefs.language === language}
          onClick={() => {
            change({ language });
            relearn();
            again();
          }}
        >
          {LANGUAGES[language]}
        </button>
      ))}
    </div>
  );
}
