// This tablet's settings, and who holds it.

import { isChief, logOut, useStore } from "../app";
import { change, prefs, type Theme } from "../prefs";
import { t } from "../words";
import { LanguageChoice } from "./login";
import { beep, buzz } from "./notice";
import { Fact, Facts } from "./parts";
import { roleName } from "./people";
import { Sectors } from "./sectors";
import { Choices } from "./sheet";

export function Settings({ again }: { again: () => void }) {
  const { hall } = useStore();
  const set = (some: Parameters<typeof change>[0]) => {
    change(some);
    again();
  };
  return (
    <main class="page settings">
      <section>
        <h2>{t("language")}</h2>
        <LanguageChoice again={again} />
      </section>
      <section>
        <h2>{t("colours")}</h2>
        <Choices<Theme>
          label={t("colours")}
          chosen={prefs.theme}
          choose={(theme) => set({ theme })}
          choices={[
            { value: "auto", label: t("theme.auto") },
            { value: "light", label: t("theme.light") },
            { value: "dark", label: t("theme.dark") },
          ]}
        />
      </section>
      <section>
        <h2>{t("notices")}</h2>
        <Choices<boolean>
          label={t("vibration")}
          chosen={prefs.vibrate}
          choose={(vibrate) => {
            set({ vibrate });
            if (vibrate) buzz();
          }}
          choices={[
            { value: true, label: t("vibration.on") },
            { value: false, label: t("vibration.off") },
          ]}
        />
        <Choices<boolean>
          label={t("sound")}
          chosen={prefs.sound}
          choose={(sound) => {
            set({ sound });
            if (sound) beep();
          }}
          choices={[
            { value: true, label: t("sound.on") },
            { value: false, label: t("sound.off") },
          ]}
        />
        <p class="help">{t("sound.help")}</p>
      </section>
      <Sectors />
      <section>
        <h2>{t("who.you.are")}</h2>
        <Facts>
          <Fact name={t("name")}>
            <bdi>{hall?.you?.name ?? "…"}</bdi>
          </Fact>
          <Fact name={t("role")}>{hall?.you ? roleName(hall.you.role) : "…"}</Fact>
          {hall?.you && hall.you.also.length > 0 ? <Fact name={t("sector.handed")}>{hall.you.also.join(", ")}</Fact> : null}
          {hall?.you?.sector ? <Fact name={t("sector")}>{hall.you.sector}</Fact> : null}
          <Fact name={t("hall")}>
            <bdi>{hall?.name ?? "…"}</bdi> · {t("hub.version", { n: hall?.version ?? "…" })}
          </Fact>
        </Facts>
        {isChief() ? (
          <a class="button" href="#/people">
            {t("people")}
          </a>
        ) : null}
        <a class="button" href="#/bind">
          {t("bind")}
        </a>
        <button type="button" class="danger" onClick={logOut}>
          {t("log.out")}
        </button>
      </section>
      <section>
        <p class="help">
          {t("licence")} <a href="/arbiter/licences.txt">{t("licences")}</a>
        </p>
      </section>
    </main>
  );
}
