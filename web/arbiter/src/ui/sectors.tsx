// Who has which part of the hall, and handing one over.

import { useState } from "preact/hooks";
import { act, maySeeOnly, me, useStore } from "../app";
import type { Sector } from "../gen/flagfall/admin/v1/admin_pb";
import { t } from "../words";
import { Choices, Sheet } from "./sheet";

export function Sectors() {
  const { hall } = useStore();
  const [giving, give] = useState<Sector | null>(null);
  const sectors = hall?.sectors ?? [];
  if (sectors.length === 0) return null;
  const own = hall?.you?.sector ?? "";
  const mine = ({ name }: Sector) => own === "" || own === name || (hall?.you?.also.includes(name) ?? false);
  return (
    <section>
      <h2>{t("sectors")}</h2>
      <ul class="rows people-rows">
        {sectors.map((sector) => (
          <li key={sector.name} class="person">
            <span>
              <b>{t("sector.n", { n: sector.name })}</b>
              <small>
                {t("sector.tables", { n: sector.tables })}
                {sector.arbiters.length > 0 ? ` · ${sector.arbiters.join(", ")}` : ""}
                {sector.handedTo === "" ? "" : ` · ${t("sector.handed.to", { name: sector.handedTo })}`}
              </small>
            </span>
            {maySeeOnly() || !mine(sector) ? null : (
              <button type="button" onClick={() => give(sector)}>
                {t("sector.hand.over")}
              </button>
            )}
          </li>
        ))}
      </ul>
      {giving ? <HandOver sector={giving} names={hall?.arbiters ?? []} close={() => give(null)} /> : null}
    </section>
  );
}

function HandOver({ sector, names, close }: { sector: Sector; names: readonly string[]; close: () => void }) {
  const [to, choose] = useState<string | null>(null);
  const others = names.filter((name) => name !== sector.handedTo);
  return (
    <Sheet title={t("sector.hand.title", { n: sector.name })} close={close}>
      <p class="help">{t("sector.hand.help")}</p>
      <Choices
        label={t("sector.hand.title", { n: sector.name })}
        chosen={to}
        choose={choose}
        choices={[
          ...(sector.handedTo === "" ? [] : [{ value: "", label: t("sector.hand.back") }]),
          ...others.map((name) => ({ value: name, label: name === me() ? t("sector.hand.me", { name }) : name })),
        ]}
      />
      <button
        type="button"
        class="main"
        disabled={to === null}
        onClick={() => {
          void act(t("act.hand.over", { n: sector.name, to: to === "" ? t("sector.hand.back") : (to ?? "") }), null, async (api, { requestId, options }) => {
            await api.handOverSector({ requestId, sector: sector.name, to: to ?? "" }, options);
            return {};
          });
          close();
        }}
      >
        {t("sector.hand.over")}
      </button>
    </Sheet>
  );
}
