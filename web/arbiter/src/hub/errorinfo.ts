// google.rpc.ErrorInfo out of a status's details, the one message of google.rpc that the console reads.

import { BinaryReader } from "@bufbuild/protobuf/wire";
import type { ConnectError } from "@connectrpc/connect";

export interface ErrorInfo {
  reason: string;
  metadata: Map<string, string>;
}

const DOMAIN = "flagfall";

/** The hub's reason; `null` where the failure is not a word of the hub's. */
export function errorInfo(error: ConnectError): ErrorInfo | null {
  for (const detail of error.details) {
    if (!("type" in detail) || detail.type !== "google.rpc.ErrorInfo" || !(detail.value instanceof Uint8Array)) continue;
    try {
      const info = read(detail.value);
      if (info.domain === DOMAIN) return info;
    } catch {
      // Not what it says it is: no reason of ours.
    }
  }
  return null;
}

function read(bytes: Uint8Array): ErrorInfo & { domain: string } {
  const reader = new BinaryReader(bytes);
  const info = { reason: "", domain: "", metadata: new Map<string, string>() };
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    if (field === 1) info.reason = reader.string();
    else if (field === 2) info.domain = reader.string();
    else if (field === 3) {
      const end = reader.uint32() + reader.pos;
      let key = "";
      let value = "";
      while (reader.pos < end) {
        const [part, kind] = reader.tag();
        if (part === 1) key = reader.string();
        else if (part === 2) value = reader.string();
        else reader.skip(kind);
      }
      info.metadata.set(key, value);
    } else reader.skip(wire);
  }
  return info;
}
