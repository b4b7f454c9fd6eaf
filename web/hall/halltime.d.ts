/** Hall time by what the hub says of it. */
export class HallTime {
  take(said: { epoch: number; speed: number; now_ms: number }, at?: number): void;
  get known(): boolean;
  get speed(): number;
  now(at?: number): number;
}
