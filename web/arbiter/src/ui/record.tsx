// A game on paper: the hub's own page, shown as it is, printed or kept.

import { useEffect, useRef } from "preact/hooks";
import { useRecord } from "../app";
import { t } from "../words";
import { Sheet } from "./sheet";

export function RecordSheet({ table, close }: { table: number; close: () => void }) {
  const record = useRecord(table);
  const frame = useRef<HTMLIFrameElement>(null);
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (!link.current || typeof record !== "object") return;
    const url = URL.createObjectURL(new Blob([record.html], { type: "text/html;charset=utf-8" }));
    link.current.href = url;
    return () => URL.revokeObjectURL(url);
  }, [record]);
  return (
    <Sheet title={t("table.n", { n: table })} close={close}>
      {record === "asked" ? (
        <p class="empty">{t("connecting")}</p>
      ) : record === "failed" ? (
        <p class="note" role="alert">
          {t("record.failed")}
        </p>
      ) : (
        <>
          <div class="choices">
            <button type="button" class="main" onClick={() => frame.current?.contentWindow?.print()}>
              {t("record.print")}
            </button>
            <a class="button" ref={link} download={`table-${table}-${record.game}.html`}>
              {t("record.save")}
            </a>
          </div>
          <iframe class="record-page" ref={frame} title={t("print")} sandbox="allow-same-origin allow-modals" srcdoc={record.html} />
        </>
      )}
    </Sheet>
  );
}
