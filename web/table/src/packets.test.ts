import { expect, test } from "vitest";
import { Packets, TAKEN_OVER, connect, publish, puback, subscribe } from "./packets";

const bytes = (...all: (number | string)[]): Uint8Array =>
  Uint8Array.from(all.flatMap((one) => (typeof one === "string" ? [...new TextEncoder().encode(one)] : [one])));

test("what goes out is MQTT 5", () => {
  const login = { client: "p", secret: "s", keepAlive: 12, will: { topic: "t", payload: "{}" } };
  expect(connect(login)).toEqual(
    bytes(0x10, 28, 0, 4, "MQTT", 5, 0xce, 0, 12, 0, 0, 1, "p", 0, 0, 1, "t", 0, 2, "{}", 0, 1, "p", 0, 1, "s"),
  );
  expect(publish("t", "é", 7)).toEqual(bytes(0x32, 8, 0, 1, "t", 0, 7, 0, "é"));
  expect(subscribe(["a", "b"], 258)).toEqual(bytes(0x82, 11, 1, 2, 0, 0, 1, "a", 1, 0, 1, "b", 1));
  expect(puback(7)).toEqual(bytes(0x40, 2, 0, 7));
  expect(publish("t", "x".repeat(200), 1).slice(0, 3)).toEqual(bytes(0x32, 0xce, 1));
});

test("what comes in is read, however it is cut", () => {
  const all = bytes(
    ...[0x20, 11, 0, 0, 8, 0x21, 0, 20, 0x13, 0, 30, 0x24, 1],
    ...[0x32, 8, 0, 1, "t", 0, 9, 0, "hi"],
    ...[0x90, 4, 0, 1, 0, 1, 0xd0, 0, 0xe0, 2, TAKEN_OVER, 0],
  );
  const expected = [
    { kind: "connack", code: 0, keepAlive: 30, receiveMax: 20 },
    { kind: "publish", topic: "t", payload: "hi", qos: 1, id: 9 },
    { kind: "suback", id: 1, codes: [1] },
    { kind: "other" },
    { kind: "disconnect", code: TAKEN_OVER },
  ];
  expect(new Packets().take(all)).toEqual(expected);
  const one = new Packets();
  expect([...all].flatMap((byte) => one.take(bytes(byte)))).toEqual(expected);
});
