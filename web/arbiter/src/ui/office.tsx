// Between two rounds: the results go out, the next pairings come in, and a pairing more is made while the round goes on.

import { useRef, useState } from "preact/hooks";
import { act, askAdmin, isChief, maySeeOnly } from "../app";
import { ExportFormat, PairingChangeKind, type ImportRoundResponse } from "../gen/flagfall/admin/v1/pairing_pb";
import { RoundState, type Round } from "../gen/flagfall/admin/v1/event_pb";
import { readTime } from "../laws/clock";
import { t, type Key } from "../words";
import { playerName } from "./parts";
import { Choices, Sheet } from "./sheet";

const FORMATS: readonly { value: ExportFormat; words: Key }[] = [
  { value: ExportFormat.TRF, words: "export.trf" },
  { value: ExportFormat.RESULTS, words: "export.results" },
  { value: ExportFormat.CSV, words: "export.csv" },
  { value: ExportFormat.PGN, words: "export.pgn" },
];

/** The round's results as a file. */
export function ExportSheet({ round, close }: { round: Round; close: () => void }) {
  const [said, say] = useState<string | null>(null);
  const [warnings, warn] = useState<readonly string[]>([]);
  const fetch = async (format: ExportFormat) => {
    say(t("connecting"));
    warn([]);
    const answer = await askAdmin((admin) => admin.exportEvent({ event: round.event, round: round.number, format }, { timeoutMs: 30_000 }));
    if ("refused" in answer) return say(answer.refused);
    const link = document.createElement("a");
    const url = URL.createObjectURL(new Blob([answer.done.content as Uint8Array<ArrayBuffer>]));
    link.href = url;
    link.download = answer.done.fileName;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
    say(answer.done.fileName);
    warn(answer.done.warnings.map(({ message }) => message));
  };
  return (
    <Sheet title={t("export")} close={close}>
      <p class="help">{t("export.help")}</p>
      <div class="choices">
        {FORMATS.map(({ value, words }) => (
          <button type="button" key={value} onClick={() => void fetch(value)}>
            {t(words)}
          </button>
        ))}
      </div>
      <p role="status">{said}</p>
      {warnings.length === 0 ? null : (
        <ul class="remarks">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
    </Sheet>
  );
}

const CHANGES: Readonly<Record<PairingChangeKind, Key>> = {
  [PairingChangeKind.UNSPECIFIED]: "import.changed",
  [PairingChangeKind.ADDED]: "import.added",
  [PairingChangeKind.REMOVED]: "import.removed",
  [PairingChangeKind.MOVED]: "import.moved",
  [PairingChangeKind.COLOURS_TURNED]: "import.turned",
  [PairingChangeKind.RENAMED]: "import.renamed",
};

interface Chosen {
  name: string;
  content: Uint8Array;
}

/** A round out of a pairing program's file: first what would be taken, then the taking. */
export function ImportSheet(props: { event: string; round: number; timeControl: string; close: () => void }) {
  const { event, round, close } = props;
  const [number, setNumber] = useState(String(round));
  const [file, setFile] = useState<Chosen | null>(null);
  const [players, setPlayers] = useState<Chosen | null>(null);
  // A new round has that of the one before, unless something else is written.
  const [control, setControl] = useState(props.timeControl);
  const [proposal, setProposal] = useState<ImportRoundResponse | null>(null);
  const [refused, setRefused] = useState("");
  const asked = useRef(0);
  const request = () => ({
    event,
    round: Number(number),
    timeControl: control.trim(),
    ...(file ? { file } : {}),
    ...(players ? { players } : {}),
  });
  const read = async (input: HTMLInputElement): Promise<Chosen | null> => {
    const given = input.files?.[0];
    return given ? { name: given.name, content: new Uint8Array(await given.arrayBuffer()) } : null;
  };
  const look = async () => {
    const own = ++asked.current;
    setRefused("");
    setProposal(null);
    const answer = await askAdmin((admin) => admin.importRound({ ...request(), requestId: "look" }, { timeoutMs: 20_000 }));
    if (own !== asked.current) return;
    if ("refused" in answer) setRefused(answer.refused);
    else setProposal(answer.done);
  };
  return (
    <Sheet title={t("import")} close={close}>
      <p class="help">{t("import.help")}</p>
      <div class="two">
        <label class="field">
          <span>{t("round")}</span>
          <input type="text" inputMode="numeric" autocomplete="off" value={number} onInput={(event) => setNumber(event.currentTarget.value.replace(/\D/g, "").slice(0, 4))} />
        </label>
        <label class="field">
          <span>{t("import.control")}</span>
          <input type="text" autocomplete="off" maxLength={80} placeholder="90m+30s" value={control} onInput={(event) => setControl(event.currentTarget.value)} />
        </label>
      </div>
      <label class="field">
        <span>{t("import.file")}</span>
        <input type="file" onChange={(event) => void read(event.currentTarget).then(setFile)} />
      </label>
      <label class="field">
        <span>{t("import.players")}</span>
        <input type="file" onChange={(event) => void read(event.currentTarget).then(setPlayers)} />
      </label>
      <button type="button" disabled={file === null || number === ""} onClick={() => void look()}>
        {t("import.look")}
      </button>
      {refused === "" ? null : (
        <p class="note" role="alert">
          {refused}
        </p>
      )}
      {proposal === null ? null : (
        <>
          <p role="status">
            <b>{t("import.games", { n: proposal.games.length })}</b> · {proposal.format} · {proposal.timeControl}
            {proposal.unpaired.length > 0 ? ` · ${t("import.unpaired", { n: proposal.unpaired.length })}` : ""}
          </p>
          {proposal.warnings.length === 0 ? null : (
            <ul class="remarks">
              {proposal.warnings.map(({ file, line, message }, index) => (
                <li key={index}>
                  {file}:{String(line)} {message}
                </li>
              ))}
            </ul>
          )}
          <ul class="proposal-games">
            {(proposal.isNew ? proposal.games.map((game) => ({ kind: PairingChangeKind.ADDED, after: game, before: undefined })) : proposal.changes).map(
              ({ kind, before, after }, index) => (
                <li key={index}>
                  <b>{after?.table ?? before?.table}</b> {playerName((after ?? before)?.white)} – {playerName((after ?? before)?.black)}
                  {proposal.isNew ? null : <small> · {t(CHANGES[kind])}</small>}
                </li>
              ),
            )}
          </ul>
          {!proposal.isNew && proposal.changes.length === 0 ? <p class="help">{t("import.same")}</p> : null}
          <button
            type="button"
            class="main"
            onClick={() => {
              void act(t("act.import", { n: number }), null, async (_, { requestId, options }, admin) => {
                await admin.importRound({ ...request(), requestId, confirm: true, proposal: proposal.proposal }, options);
                return {};
              });
              close();
            }}
          >
            {t("import.do")}
          </button>
        </>
      )}
    </Sheet>
  );
}

/** One game more in a round that goes on, with the times that the arbiter sets. */
export function PairSheet({ round, close }: { round: Round; close: () => void }) {
  const [table, setTable] = useState("");
  const [white, setWhite] = useState("");
  const [black, setBlack] = useState("");
  const [whiteTime, setWhiteTime] = useState("");
  const [blackTime, setBlackTime] = useState("");
  const [bare, setBare] = useState(false);
  const times = [whiteTime, blackTime].map((text) => (text.trim() === "" ? undefined : readTime(text)));
  const bad = times.some((time) => time === null || time === 0);
  const number = Number(table);
  return (
    <Sheet title={t("pair.title", { n: round.number })} close={close}>
      <p class="help">{t("pair.help", { control: round.timeControl })}</p>
      <label class="field">
        <span>{t("table")}</span>
        <input type="text" inputMode="numeric" autocomplete="off" value={table} onInput={(event) => setTable(event.currentTarget.value.replace(/\D/g, "").slice(0, 5))} />
      </label>
      <div class="two">
        <label class="field">
          <span>{t("white")}</span>
          <input type="text" autocomplete="off" maxLength={120} value={white} onInput={(event) => setWhite(event.currentTarget.value)} />
        </label>
        <label class="field">
          <span>{t("black")}</span>
          <input type="text" autocomplete="off" maxLength={120} value={black} onInput={(event) => setBlack(event.currentTarget.value)} />
        </label>
        <label class="field">
          <span>{t("white.time")}</span>
          <input type="text" inputMode="numeric" autocomplete="off" placeholder={t("pair.as.control")} value={whiteTime} onInput={(event) => setWhiteTime(event.currentTarget.value)} />
        </label>
        <label class="field">
          <span>{t("black.time")}</span>
          <input type="text" inputMode="numeric" autocomplete="off" placeholder={t("pair.as.control")} value={blackTime} onInput={(event) => setBlackTime(event.currentTarget.value)} />
        </label>
      </div>
      <Choices<boolean>
        label={t("device.board")}
        chosen={bare}
        choose={setBare}
        choices={[
          { value: false, label: t("pair.board.as.is") },
          { value: true, label: t("pair.no.board") },
        ]}
      />
      {bad ? (
        <p class="note" role="alert">
          {t("time.unreadable")}
        </p>
      ) : null}
      <button
        type="button"
        class="main"
        disabled={bad || number === 0 || white.trim() === "" || black.trim() === ""}
        onClick={() => {
          const [whiteMs, blackMs] = times;
          void act(t("act.pair", { table: number }), null, async (_, { requestId, options }, admin) => {
            await admin.addPairing(
              {
                requestId,
                event: round.event,
                round: round.number,
                table: number,
                pairing: {
                  table: number,
                  white: { name: white.trim() },
                  black: { name: black.trim() },
                  boardKind: bare ? 3 : 0,
                },
                ...(whiteMs == null ? {} : { whiteMs: BigInt(whiteMs) }),
                ...(blackMs == null ? {} : { blackMs: BigInt(blackMs) }),
              },
              options,
            );
            return {};
          });
          close();
        }}
      >
        {t("pair.do")}
      </button>
    </Sheet>
  );
}

/** What the office does with a round. */
export function Office({ round, next }: { round: Round; next: number }) {
  const [open, set] = useState<"export" | "import" | "pair" | null>(null);
  const close = () => set(null);
  const running = round.state === RoundState.ARMED || round.state === RoundState.STARTED;
  return (
    <>
      <div class="choices office">
        <button type="button" disabled={maySeeOnly()} onClick={() => set("export")}>{t("export")}</button>
        <button type="button" disabled={!isChief()} onClick={() => set("import")}>{t("import")}</button>
        {running ? <button type="button" disabled={maySeeOnly()} onClick={() => set("pair")}>{t("pair")}</button> : null}
        <a class="button" href="#/many">{t("many")}</a>
        <a class="button" href="#/bind">{t("bind")}</a>
      </div>
      {open === "export" ? <ExportSheet round={round} close={close} /> : null}
      {open === "import" ? <ImportSheet event={round.event} round={next} timeControl={round.timeControl} close={close} /> : null}
      {open === "pair" ? <PairSheet round={round} close={close} /> : null}
    </>
  );
}
