// The hub's public API, spoken as gRPC-Web.

import { Code, ConnectError, createClient, type Client, type Interceptor } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { AdminService } from "../gen/flagfall/admin/v1/admin_pb";
import { ArbiterService } from "../gen/flagfall/arbiter/v1/arbiter_pb";
import { language, TAGS } from "../words";
import { errorInfo } from "./errorinfo";

export interface Hub {
  arbiter: Client<typeof ArbiterService>;
  admin: Client<typeof AdminService>;
}

/** The token goes with every call in a header, and nowhere else. */
export function connect(token: string): Hub {
  const authorize: Interceptor = (next) => (request) => {
    request.header.set("authorization", `Bearer ${token}`);
    // What the hub says in sentences, it says in the reader's language.
    request.header.set("accept-language", TAGS[language]);
    return next(request);
  };
  const transport = createGrpcWebTransport({ baseUrl: location.origin, interceptors: [authorize] });
  return { arbiter: createClient(ArbiterService, transport), admin: createClient(AdminService, transport) };
}

/** Why the hub refused; `null`: it has said nothing. */
export interface Refusal {
  reason: string;
  /** What happened, to which table, what to do: the hub's own words. */
  message: string;
  currentRevision: bigint | null;
}

/** Reads a failed call. Without an `ErrorInfo` of the hub's, nobody knows what became of it. */
export function refusalOf(error: unknown): Refusal | null {
  const failed = ConnectError.from(error);
  const info = errorInfo(failed);
  if (info === null) return null;
  const revision = info.metadata.get("current_revision");
  return {
    reason: info.reason,
    message: failed.rawMessage,
    currentRevision: revision === undefined ? null : BigInt(revision),
  };
}

/** Whether the token is no good (any more). */
export function isNoToken(error: unknown): boolean {
  const failed = ConnectError.from(error);
  return failed.code === Code.Unauthenticated;
}

/** Whether the token's role may not do this. */
export function isNotAllowed(error: unknown): boolean {
  return ConnectError.from(error).code === Code.PermissionDenied;
}
