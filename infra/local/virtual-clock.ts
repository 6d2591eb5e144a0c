/** The Date of the machine. VirtualClock.install replaces the global Date. */
const MachineDate = Date;

/** The machine's time plus an offset that every thread shares, so that a tester can move the clock of all functions. */
export class VirtualClock {
  readonly #offsetMs: DataView<SharedArrayBuffer>;

  /** Creates a new clock, or the clock of a buffer from another thread. */
  constructor(buffer = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)) {
    this.#offsetMs = new DataView(buffer);
  }

  /** The buffer with which another thread can share this clock. */
  get buffer(): SharedArrayBuffer {
    return this.#offsetMs.buffer;
  }

  /** The difference to the machine's time, in milliseconds. */
  get offsetMs(): number {
    return this.#offsetMs.getFloat64(0);
  }

  /** The virtual time in milliseconds since 1970. */
  now(): number {
    return MachineDate.now() + this.offsetMs;
  }

  /** Moves the clock, in addition to earlier moves. */
  advance(ms: number): void {
    this.#offsetMs.setFloat64(0, this.offsetMs + ms);
  }

  /** Replaces the Date of the thread with this clock. A Date with arguments, such as `new Date(0)`, does not change. */
  install(): void {
    const now = () => this.now();
    globalThis.Date = new Proxy(MachineDate, {
      apply: () => new MachineDate(now()).toString(),
      construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
      get: (target, property) => (property === 'now' ? now : Reflect.get(target, property)),
    });
  }
}
