// A sheet over the page: from below on a phone, in the middle elsewhere.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../words";
import { Icon } from "./icon";

export function Sheet({ title, close, children }: { title: string; close: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="sheet"
      aria-label={title}
      onClose={close}
      onClick={(event) => {
        // Beside it.
        if (event.target === dialog.current) dialog.current?.close();
      }}
    >
      <div class="sheet-body">
        <header>
          <h2>{title}</h2>
          <button type="button" class="quiet icon" aria-label={t("close")} onClick={() => dialog.current?.close()}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

export interface Choice<T> {
  value: T;
  label: string;
}

/** One of a few, as big buttons. */
export function Choices<T>(props: { label: string; choices: readonly Choice<T>[]; chosen: T | null; choose: (value: T) => void }) {
  return (
    <div class="choices" role="group" aria-label={props.label}>
      {props.choices.map((choice) => (
        <button
          type="button"
          key={choice.label}
          aria-pressed={props.chosen === choice.value}
          onClick={() => props.choose(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}

/** The arbiter's own words for the record. */
export function Reason({ value, set, placeholder }: { value: string; set: (text: string) => void; placeholder?: string }) {
  return (
    <label class="field">
      <span>{t("reason")}</span>
      <input
        type="text"
        maxLength={500}
        autocomplete="off"
        value={value}
        placeholder={placeholder ?? t("reason.optional")}
        onInput={(event) => set(event.currentTarget.value)}
      />
    </label>
  );
}
