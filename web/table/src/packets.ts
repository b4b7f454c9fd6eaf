// As much of MQTT 5 as a device needs: packets in and out, QoS 1. Version 5 and not 3.1.1, because only there the broker says why
// it ends a connection, and a page that was opened elsewhere must know that from a network that broke.

export const TAKEN_OVER = 0x8e;

export interface Login {
  client: string;
  secret: string;
  keepAlive: number;
  will: { topic: string; payload: string };
}

export type Packet =
  | { kind: "connack"; code: number; keepAlive: number | null; receiveMax: number }
  | { kind: "publish"; topic: string; payload: string; qos: number; id: number }
  | { kind: "puback"; id: number; code: number }
  | { kind: "suback"; id: number; codes: number[] }
  | { kind: "disconnect"; code: number }
  | { kind: "other" };

const utf8 = new TextEncoder();
const text = new TextDecoder();

const u16 = (value: number): number[] => [value >> 8, value & 0xff];

function field(value: string): number[] {
  const bytes = utf8.encode(value);
  return [...u16(bytes.length), ...bytes];
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  do {
    const more = value >> 7;
    bytes.push((value & 0x7f) | (more > 0 ? 0x80 : 0));
    value = more;
  } while (value > 0);
  return bytes;
}

const packet = (head: number, body: number[]): Uint8Array<ArrayBuffer> => Uint8Array.from([head, ...varint(body.length), ...body]);

/** A clean session, a name that is the client id, and a Will that is not retained. */
export function connect({ client, secret, keepAlive, will }: Login): Uint8Array<ArrayBuffer> {
  const [clean, willFlag, willQos1, password, user] = [0x02, 0x04, 0x08, 0x40, 0x80];
  return packet(0x10, [
    ...field("MQTT"),
    5,
    clean | willFlag | willQos1 | password | user,
    ...u16(keepAlive),
    0,
    ...field(client),
    0,
    ...field(will.topic),
    ...field(will.payload),
    ...field(client),
    ...field(secret),
  ]);
}

export const publish = (topic: string, payload: string, id: number): Uint8Array<ArrayBuffer> =>
  packet(0x32, [...field(topic), ...u16(id), 0, ...utf8.encode(payload)]);

export const subscribe = (topics: readonly string[], id: number): Uint8Array<ArrayBuffer> =>
  packet(0x82, [...u16(id), 0, ...topics.flatMap((topic) => [...field(topic), 1])]);

export const puback = (id: number): Uint8Array<ArrayBuffer> => packet(0x40, u16(id));

export const ping = (): Uint8Array<ArrayBuffer> => packet(0xc0, []);

export const disconnect = (): Uint8Array<ArrayBuffer> => packet(0xe0, []);

class Bytes {
  at = 0;

  constructor(readonly bytes: Uint8Array) {}

  get left(): number {
    return this.bytes.length - this.at;
  }

  byte(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined) throw new Error("a packet of the broker is too short");
    this.at += 1;
    return byte;
  }

  u16(): number {
    return (this.byte() << 8) | this.byte();
  }

  take(length: number): Uint8Array {
    if (length > this.left) throw new Error("a packet of the broker is too short");
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  string(): string {
    return text.decode(this.take(this.u16()));
  }

  /** A name and a value. */
  pair(): void {
    this.string();
    this.string();
  }

  varint(): number {
    let value = 0;
    for (const shift of [0, 7, 14, 21]) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if ((byte & 0x80) === 0) return value;
    }
    throw new Error("a length of the broker is too long");
  }

  /** The properties of a packet; of those the two that a device heeds. */
  properties(): { keepAlive: number | null; receiveMax: number } {
    const found: { keepAlive: number | null; receiveMax: number } = { keepAlive: null, receiveMax: 65_535 };
    const length = this.varint();
    const own = new Bytes(this.take(length));
    while (own.left > 0) {
      const kind = own.byte();
      if (kind === 0x13) found.keepAlive = own.u16();
      else if (kind === 0x21) found.receiveMax = own.u16();
      else if ([0x01, 0x17, 0x19, 0x24, 0x25, 0x28, 0x29, 0x2a].includes(kind)) own.byte();
      else if ([0x22, 0x23].includes(kind)) own.u16();
      else if ([0x02, 0x11, 0x18, 0x27].includes(kind)) own.take(4);
      else if (kind === 0x0b) own.varint();
      else if (kind === 0x26) own.pair();
      else own.take(own.u16());
    }
    return found;
  }
}

/** Puts the stream of a WebSocket's messages together into packets: a message may hold a part of one, or several. */
export class Packets {
  private rest: Uint8Array = new Uint8Array(0);

  take(more: Uint8Array): Packet[] {
    const all = new Uint8Array(this.rest.length + more.length);
    all.set(this.rest);
    all.set(more, this.rest.length);
    const found: Packet[] = [];
    let from = 0;
    for (;;) {
      const length = whole(all, from);
      if (length === null) break;
      found.push(parse(all.subarray(from, from + length)));
      from += length;
    }
    this.rest = all.slice(from);
    return found;
  }
}

/** How long the packet that begins there is; null while it is not all here. */
function whole(bytes: Uint8Array, from: number): number | null {
  let [value, at] = [0, from + 1];
  for (const shift of [0, 7, 14, 21]) {
    const byte = bytes[at];
    if (byte === undefined) return null;
    at += 1;
    value |= (byte & 0x7f) << shift;
    if ((byte & 0x80) === 0) return at + value <= bytes.length ? at + value - from : null;
  }
  throw new Error("a length of the broker is too long");
}

function parse(bytes: Uint8Array): Packet {
  const packet = new Bytes(bytes);
  const head = packet.byte();
  packet.varint();
  switch (head >> 4) {
    case 2: {
      packet.byte();
      const code = packet.byte();
      // A broker of version 3.1.1 only, and our own refusals by it, end here.
      const properties = packet.left > 0 ? packet.properties() : { keepAlive: null, receiveMax: 65_535 };
      return { kind: "connack", code, ...properties };
    }
    case 3: {
      const qos = (head >> 1) & 3;
      const topic = packet.string();
      const id = qos > 0 ? packet.u16() : 0;
      packet.properties();
      return { kind: "publish", topic, payload: text.decode(packet.take(packet.left)), qos, id };
    }
    case 4:
      return { kind: "puback", id: packet.u16(), code: packet.left > 0 ? packet.byte() : 0 };
    case 9: {
      const id = packet.u16();
      packet.properties();
      return { kind: "suback", id, codes: [...packet.take(packet.left)] };
    }
    case 14:
      return { kind: "disconnect", code: packet.left > 0 ? packet.byte() : 0 };
    default:
      return { kind: "other" };
  }
}
