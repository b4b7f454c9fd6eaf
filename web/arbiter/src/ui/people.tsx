// Who has a token, and for what: the chief arbiter gives them, shown once, and makes them void.

import { useState } from "preact/hooks";
import { encode } from "uqr";
import { act, isChief, me, usePeople, useStore } from "../app";
import { Role, type Person } from "../gen/flagfall/admin/v1/person_pb";
import { dayTime, t, type Key } from "../words";
import { Choices, Sheet } from "./sheet";

const ROLES: readonly { role: Role; key: Key }[] = [
  { role: Role.ARBITER, key: "role.arbiter" },
  { role: Role.CHIEF_ARBITER, key: "role.chief" },
  { role: Role.TECHNICIAN, key: "role.technician" },
  { role: Role.RECORDER, key: "role.recorder" },
  { role: Role.SCREEN, key: "role.screen" },
];

const HOUR_MS = 3_600_000;
const LENGTHS: readonly { hours: number | null; key: Key }[] = [
  { hours: 12, key: "expires.12h" },
  { hours: 72, key: "expires.3d" },
  { hours: 336, key: "expires.14d" },
  { hours: null, key: "expires.never" },
];

export function roleName(role: Role): string {
  const found = ROLES.find((one) => one.role === role);
  return found ? t(found.key) : "?";
}

interface Given {
  name: string;
  role: Role;
  token: string;
}

export function PeoplePage() {
  const [again, setAgain] = useState(0);
  const [adding, setAdding] = useState(false);
  const [revoking, setRevoking] = useState<Person | null>(null);
  const [given, setGiven] = useState<Given | null>(null);
  const people = usePeople(again);
  if (!isChief()) {
    return (
      <main class="page">
        <p class="empty">{t("people.chief.only")}</p>
      </main>
    );
  }
  const now = Date.now();
  return (
    <main class="page people">
      <h2>{t("people")}</h2>
      <p class="help">{t("people.help")}</p>
      <button type="button" class="main" onClick={() => setAdding(true)}>
        {t("people.add")}
      </button>
      {people === null ? (
        <p class="empty">{t("connecting")}</p>
      ) : (
        <ul class="rows people-rows">
          {people.map((person) => {
            const over = person.expiresMs !== undefined && Number(person.expiresMs) <= now;
            return (
              <li key={person.name} class={over ? "person over" : "person"}>
                <span>
                  <b>
                    <bdi>{person.name}</bdi>
                  </b>
                  <small>
                    {roleName(person.role)}
                    {person.sector === "" ? "" : ` · ${t("sector.n", { n: person.sector })}`}
                    {" · "}
                    {person.expiresMs === undefined
                      ? t("expires.never")
                      : t(over ? "expired.at" : "expires.at", { time: dayTime(new Date(Number(person.expiresMs))) })}
                  </small>
                </span>
                {person.name === me() ? null : (
                  <button type="button" class="danger" onClick={() => setRevoking(person)}>
                    {t("people.revoke")}
                  </button>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {adding ? (
        <AddSheet
          close={() => setAdding(false)}
          taken={new Set(people?.map(({ name }) => name) ?? [])}
          done={(person) => {
            setAdding(false);
            setGiven(person);
            setAgain((n) => n + 1);
          }}
        />
      ) : null}
      {given === null ? null : <GivenSheet given={given} close={() => setGiven(null)} />}
      {revoking === null ? null : (
        <Sheet title={t("people.revoke.title", { name: revoking.name })} close={() => setRevoking(null)}>
          <p>{t("people.revoke.help")}</p>
          <button
            type="button"
            class="danger"
            onClick={() => {
              const { name } = revoking;
              setRevoking(null);
              void act(t("people.revoke.title", { name }), null, async (_, { requestId, options }, admin) => {
                await admin.revokePerson({ requestId, name }, options);
                return {};
              }).then(() => setAgain((n) => n + 1));
            }}
          >
            {t("people.revoke")}
          </button>
        </Sheet>
      )}
    </main>
  );
}

interface AddProps {
  close: () => void;
  taken: ReadonlySet<string>;
  done: (given: Given) => void;
}

function AddSheet({ close, taken, done }: AddProps) {
  const { tables } = useStore();
  const [name, setName] = useState("");
  const [role, setRole] = useState(Role.ARBITER);
  const [sector, setSector] = useState("");
  const [hours, setHours] = useState<number | null>(72);
  const [busy, setBusy] = useState(false);
  const sectors = [...new Set([...tables.values()].map((table) => table.sector).filter((name) => name !== ""))].sort();
  const hasSector = role !== Role.CHIEF_ARBITER && role !== Role.SCREEN;
  const isTaken = taken.has(name.trim());
  return (
    <Sheet title={t("people.add")} close={close}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          setBusy(true);
          const person = {
            name: name.trim(),
            role,
            sector: hasSector ? sector.trim() : "",
            ...(hours === null ? {} : { expiresMs: BigInt(Date.now() + hours * HOUR_MS) }),
          };
          let token = "";
          void act(t("people.add.done", { name: person.name }), null, async (_, { requestId, options }, admin) => {
            token = (await admin.addPerson({ requestId, person }, options)).token;
            return {};
          }).then((sent) => {
            setBusy(false);
            if (sent.state === "done") done({ name: person.name, role, token });
          });
        }}
      >
        <label class="field">
          <span>{t("name")}</span>
          <input type="text" required maxLength={80} autocomplete="off" value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        {isTaken ? (
          <p class="note" role="alert">
            {t("people.taken")}
          </p>
        ) : null}
        <Choices<Role>
          label={t("role")}
          chosen={role}
          choose={setRole}
          choices={ROLES.map(({ role, key }) => ({ value: role, label: t(key) }))}
        />
        {hasSector ? (
          <label class="field">
            <span>{t("sector.only")}</span>
            <input type="text" list="sectors" maxLength={80} autocomplete="off" value={sector} onInput={(event) => setSector(event.currentTarget.value)} />
            <datalist id="sectors">
              {sectors.map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          </label>
        ) : null}
        <Choices<number | null>
          label={t("expires")}
          chosen={hours}
          choose={setHours}
          choices={LENGTHS.map(({ hours, key }) => ({ value: hours, label: t(key) }))}
        />
        <button type="submit" class="main" disabled={busy || isTaken || name.trim() === ""}>
          {t("people.give")}
        </button>
      </form>
    </Sheet>
  );
}

/** Shown once: when it is closed, nobody can see it again. */
function GivenSheet({ given, close }: { given: Given; close: () => void }) {
  const page = given.role === Role.SCREEN ? "hall" : "arbiter";
  // What stands behind the `#` is sent to no server.
  const link = `${location.origin}/${page}#token=${given.token}`;
  const label = t("people.given", { name: given.name });
  return (
    <Sheet title={label} close={close}>
      {given.token === "" ? (
        <p class="note" role="alert">
          {t("people.lost")}
        </p>
      ) : (
        <>
          <p class="note" role="status">
            {t("people.once")}
          </p>
          <Code text={link} label={label} />
          <label class="field">
            <span>{t("people.link")}</span>
            <textarea readOnly rows={3} value={link} onFocus={(event) => event.currentTarget.select()} />
          </label>
          <label class="field">
            <span>{t("people.token")}</span>
            <textarea readOnly rows={2} value={given.token} onFocus={(event) => event.currentTarget.select()} />
          </label>
        </>
      )}
    </Sheet>
  );
}

/** A code to scan, dark on light whatever the tablet's colours are. */
function Code({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: "M", border: 4 });
  const path = data
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
