// A clock is pressed and names itself; its table is chosen; one press on White's side says which side is which.

import { useEffect, useState } from "preact/hooks";
import { act, useDevices, useSecond, useStore } from "../app";
import { DeviceKind, type Device } from "../gen/flagfall/admin/v1/device_pb";
import { Side } from "../gen/flagfall/admin/v1/event_pb";
import { hallNow, hallTime } from "../hub/time";
import { t } from "../words";
import { heardAgo } from "../words/heard";
import { pairing } from "./parts";

/** A press longer ago names nobody any more. */
const PRESSED_MS = 120_000;

interface Found {
  device: Device;
  /** Hall time of the press. */
  at: number;
  side: Side;
}

/** The clocks without a table that were pressed, the latest first. */
function pressed(devices: readonly Device[], now: number): Found[] {
  return devices
    .filter(({ table, kind, pressedMs }) => table === 0 && kind !== DeviceKind.GATEWAY && pressedMs !== undefined)
    .map((device) => ({ device, at: Number(device.pressedMs), side: device.pressedSide }))
    .filter(({ at }) => now - at < PRESSED_MS * hallTime.speed)
    .sort((a, b) => b.at - a.at);
}

export function BindPage() {
  const devices = useDevices();
  const { tables } = useStore();
  useSecond();
  const [chosen, choose] = useState<string | null>(null);
  const [number, setNumber] = useState("");
  /** White's side is asked for since then, by the hall's time. */
  const [asking, ask] = useState<number | null>(null);
  const found = devices ? pressed(devices, hallNow()) : [];
  const device = devices?.find(({ id }) => id === chosen) ?? null;
  const fresh = found.find(({ device: { id } }) => id === chosen);
  // The press that says where White sits comes after the question.
  const white = asking !== null && fresh && fresh.at > asking ? fresh.side : null;
  const table = tables.get(Number(number));
  const taken = table?.clockDevice ? table.clockDevice.id : "";
  useEffect(() => {
    if (chosen === null && found.length === 1) choose(found[0]?.device.id ?? null);
  }, [found.length]);
  const bind = () => {
    if (!device || number === "") return;
    const both = device.kind === DeviceKind.BOTH;
    void act(t("act.bind", { device: device.id, table: number }), null, (_, { requestId, options }, admin) =>
      admin.bindDevice(
        {
          requestId,
          device: device.id,
          table: Number(number),
          asClock: device.kind !== DeviceKind.BOARD,
          asBoard: both || device.kind === DeviceKind.BOARD,
          whiteSide: white ?? Side.UNSPECIFIED,
        },
        options,
      ),
    ).then(({ state }) => {
      if (state !== "done") return;
      // The next one: tables mostly follow each other.
      choose(null);
      ask(null);
      setNumber(String(Number(number) + 1));
    });
  };
  return (
    <main class="page bind">
      <h2>{t("bind")}</h2>
      <p class="help">{t("bind.help")}</p>
      <section aria-live="polite">
        <h3>1. {t("bind.press")}</h3>
        {devices === null ? (
          <p class="empty">{t("connecting")}</p>
        ) : found.length === 0 ? (
          <p class="empty">{t("bind.nobody")}</p>
        ) : (
          <div class="choices">
            {found.map(({ device, at, side }) => (
              <button
                type="button"
                key={device.id}
                aria-pressed={device.id === chosen}
                onClick={() => {
                  choose(device.id);
                  ask(null);
                }}
              >
                {device.id} · {t(side === Side.RIGHT ? "side.right" : "side.left")} · {heardAgo((hallNow() - at) / hallTime.speed)}
              </button>
            ))}
          </div>
        )}
      </section>
      {device === null ? null : (
        <section>
          <h3>2. {t("bind.table", { device: device.id })}</h3>
          <label class="field">
            <span>{t("table")}</span>
            <input
              type="text"
              inputMode="numeric"
              autocomplete="off"
              value={number}
              onInput={(event) => setNumber(event.currentTarget.value.replace(/\D/g, "").slice(0, 5))}
            />
          </label>
          <p role="status">
            {number === "" ? "" : table ? pairing(table) : t("bind.no.game")} {taken === "" ? null : <b>{t("bind.taken", { device: taken })}</b>}
          </p>
        </section>
      )}
      {device === null || number === "" || device.kind === DeviceKind.BOARD ? null : (
        <section>
          <h3>3. {t("bind.white")}</h3>
          {asking === null ? (
            <button type="button" onClick={() => ask(hallNow())}>{t("bind.white.ask")}</button>
          ) : (
            <p role="status" class="bind-side">
              {white === null ? t("bind.white.wait") : t("bind.white.is", { side: t(white === Side.RIGHT ? "side.right" : "side.left") })}
            </p>
          )}
        </section>
      )}
      {device === null ? null : (
        <button type="button" class="main" disabled={number === "" || taken !== "" || (asking !== null && white === null)} onClick={bind}>
          {t("bind.do", { device: device.id, table: number === "" ? "…" : number })}
        </button>
      )}
    </main>
  );
}
