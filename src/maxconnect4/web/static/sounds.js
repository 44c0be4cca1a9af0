// Sounds of the game, generated in the browser. They are off until the user turns them on.

import { loadSetting, saveSetting } from "./settings.js";

const VOLUME = 0.2;
const SCALE = [523, 587, 659, 784, 880, 1047, 1175, 1319]; // hertz: pentatonic, so that points in a row sound well together
/** Notes of the end of a game: frequency in hertz and start in seconds. @type {Record<"win" | "loss" | "draw", [number, number][]>} */
const ENDINGS = {
  win: [[523, 0], [659, 0.12], [784, 0.24], [1047, 0.36]],
  loss: [[440, 0], [349, 0.18], [294, 0.36]],
  draw: [[440, 0], [440, 0.2]],
};

export class Sounds {
  constructor() {
    this.enabled = loadSetting("sound", "off") === "on";
    /** Created by the first sound: browsers allow it only after the user has clicked or typed. @type {AudioContext | null} */
    this.context = null;
  }

  /** @param {boolean} enabled */
  setEnabled(enabled) {
    this.enabled = enabled;
    saveSetting("sound", enabled ? "on" : "off");
    if (enabled) this.score(0);
  }

  /** A piece lands, with a lower pitch in a lower row. @param {number} row */
  land(row) {
    this.play(120 + 14 * row, 0, 0.14, "triangle", 0.45);
  }

  /** A point, with a higher pitch for each further one of the same move. @param {number} count of earlier points of the move */
  score(count) {
    const pitch = SCALE[Math.min(count, SCALE.length - 1)] ?? 523;
    this.play(pitch, 0, 0.35);
    this.play(2 * pitch, 0.05, 0.3, "sine", 1, 0.4);
  }

  /** The end of a game. @param {"win" | "loss" | "draw"} result */
  end(result) {
    for (const [pitch, start] of ENDINGS[result]) this.play(pitch, start, 0.5, "triangle");
  }

  /**
   * Play a note that fades out.
   * @param {number} pitch in hertz
   * @param {number} delay in seconds
   * @param {number} length in seconds
   * @param {OscillatorType} [wave]
   * @param {number} [bend] the ratio of the final pitch and the first one
   * @param {number} [share] of the volume
   */
  play(pitch, delay, length, wave = "sine", bend = 1, share = 1) {
    if (!this.enabled || !("AudioContext" in window)) return;
    const context = (this.context ??= new AudioContext());
    if (context.state === "suspended") context.resume().catch(() => {}); // not allowed yet
    const start = context.currentTime + delay, end = start + length;
    const note = new OscillatorNode(context, { type: wave, frequency: pitch }), gain = new GainNode(context, { gain: 0 });
    note.frequency.exponentialRampToValueAtTime(pitch * bend, end);
    gain.gain.setValueAtTime(0.0001, start);
    gain.gain.exponentialRampToValueAtTime(VOLUME * share, start + 0.008);
    gain.gain.exponentialRampToValueAtTime(0.0001, end);
    note.connect(gain).connect(context.destination);
    note.start(start);
    note.stop(end);
  }
}
