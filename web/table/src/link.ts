// The way to the broker: one WebSocket after the other, as long as nobody else has this device's name. What is sent while there is
// none is dropped here, for the device keeps what matters and sends it again.

import { Packets, TAKEN_OVER, connect, disconnect, ping, puback, publish, subscribe, type Packet } from "./packets";

export type Ended = "lost" | "refused" | "elsewhere";

export interface Ears {
  /** The Will of the connection that is about to be made. */
  will(): { topic: string; payload: string };
  /** Connected and subscribed. */
  up(): void;
  heard(topic: string, payload: string): void;
  /** The connection is gone; after `elsewhere` there is no other, after `refused` only a late one. */
  down(why: Ended): void;
}

/** Seconds of silence after which the broker takes the device for lost. */
const KEEP_ALIVE = 12;
/** A connection on which nothing has come for so long is given up, in ms: three seconds of delay are no reason. */
const PATIENCE = 20_000;
/** Published and not yet acknowledged, at most. */
const WINDOW = 32;
const SOONEST = 500;
const LATEST = 5_000;
/** A secret that was refused is tried again after so long: the technician may be on his way to add the device. */
const AFTER_REFUSAL = 15_000;

export class Link {
  private socket: WebSocket | null = null;
  private packets = new Packets();
  private live = false;
  private ended = false;
  private heardAt = 0;
  private nextId = 1;
  private room = WINDOW;
  private readonly unacknowledged = new Set<number>();
  private queue: [topic: string, payload: string][] = [];
  private wait = SOONEST;
  private retry = 0;
  private beat = 0;

  constructor(
    private readonly url: string,
    private readonly client: string,
    private readonly secret: string,
    private readonly topics: readonly string[],
    private readonly ears: Ears,
  ) {}

  /** Something waits that was not sent yet. */
  get busy(): boolean {
    return this.queue.length > 0;
  }

  open(): void {
    if (this.ended || this.socket !== null) return;
    clearTimeout(this.retry);
    const socket = new WebSocket(this.url, "mqtt");
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.packets = new Packets();
    this.queue = [];
    this.unacknowledged.clear();
    this.heardAt = performance.now();
    let why: Ended = "lost";
    socket.onopen = () => {
      socket.send(connect({ client: this.client, secret: this.secret, keepAlive: KEEP_ALIVE, will: this.ears.will() }));
    };
    socket.onmessage = ({ data }) => {
      this.heardAt = performance.now();
      try {
        for (const packet of this.packets.take(new Uint8Array(data as ArrayBuffer))) why = this.take(packet) ?? why;
      } catch {
        // Nothing that MQTT knows: begun anew.
        socket.close();
      }
    };
    socket.onclose = () => this.closed(socket, why);
    clearInterval(this.beat);
    this.beat = setInterval(() => this.look(), (KEEP_ALIVE * 1000) / 3);
  }

  /** The network is said to be back, or the phone has woken: no reason to wait longer. */
  hurry(): void {
    this.wait = SOONEST;
    if (this.socket === null) this.open();
    else this.look();
  }

  send(topic: string, payload: string): void {
    if (!this.live) return;
    this.queue.push([topic, payload]);
    this.pump();
  }

  /** Leaves politely, and for good. */
  leave(): void {
    this.ended = true;
    clearTimeout(this.retry);
    clearInterval(this.beat);
    if (this.live) this.socket?.send(disconnect());
    this.socket?.close();
  }

  private pump(): void {
    while (this.unacknowledged.size < this.room) {
      const next = this.queue.shift();
      if (next === undefined) return;
      const id = this.id();
      this.unacknowledged.add(id);
      this.socket?.send(publish(...next, id));
    }
  }

  private id(): number {
    do this.nextId = (this.nextId % 0xffff) + 1;
    while (this.unacknowledged.has(this.nextId));
    return this.nextId;
  }

  private take(packet: Packet): Ended | null {
    switch (packet.kind) {
      case "connack":
        if (packet.code !== 0) return "refused";
        this.room = Math.min(WINDOW, packet.receiveMax);
        this.socket?.send(subscribe(this.topics, this.id()));
        return null;
      case "suback":
        this.live = true;
        this.wait = SOONEST;
        this.ears.up();
        return null;
      case "publish":
        if (packet.qos > 0) this.socket?.send(puback(packet.id));
        this.ears.heard(packet.topic, packet.payload);
        return null;
      case "puback":
        this.unacknowledged.delete(packet.id);
        this.pump();
        return null;
      case "disconnect":
        return packet.code === TAKEN_OVER ? "elsewhere" : null;
      case "other":
        return null;
    }
  }

  private look(): void {
    const { socket } = this;
    if (socket === null) return;
    if (performance.now() - this.heardAt > PATIENCE) {
      // A socket whose network is gone may take minutes to close: it is left to itself.
      socket.onclose = socket.onmessage = socket.onopen = null;
      socket.close();
      this.closed(socket, "lost");
    } else if (this.live) {
      socket.send(ping());
    }
  }

  private closed(socket: WebSocket, why: Ended): void {
    if (this.socket !== socket) return;
    this.socket = null;
    this.live = false;
    clearInterval(this.beat);
    if (why === "elsewhere") this.ended = true;
    this.ears.down(why);
    if (this.ended) return;
    const wait = why === "refused" ? AFTER_REFUSAL : this.wait * (0.75 + Math.random() / 2);
    this.wait = Math.min(LATEST, this.wait * 2);
    this.retry = setTimeout(() => this.open(), wait);
  }
}
