// Loads the console piece by piece. What the API consists of takes a processor its time to learn; in one piece the page would be deaf
// for so long.

import { nextTask } from "./turns";

for (const piece of [
  () => import("@bufbuild/protobuf"),
  () => import("./gen/flagfall/feed/v1/table_pb"),
  () => import("./gen/flagfall/arbiter/v1/table_pb"),
  () => import("./gen/flagfall/arbiter/v1/arbiter_pb"),
  () => import("./gen/flagfall/admin/v1/admin_pb"),
]) {
  await piece();
  await nextTask();
}
await import("./main");

export {};
