// Telling an arbiter that something new waits: the tablet trembles; it sounds only where that was switched on.

import { prefs } from "../prefs";

export function buzz(): void {
  if (prefs.vibrate) navigator.vibrate?.([180, 90, 180]);
}

let audio: AudioContext | null = null;

export function beep(): void {
  if (!prefs.sound) return;
  audio ??= new AudioContext();
  void audio.resume();
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  volume.gain.value = 0.15;
  tone.frequency.value = 660;
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.18);
}
