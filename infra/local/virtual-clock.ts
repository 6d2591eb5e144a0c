/** The Date of the machine. VirtualClock.install replaces the global Date. */
const MachineDate = Date;

/** The machine's time plus an offset that every thread shares, so that a tester can move the clock of all functions. */
export class VirtualClock {
  /** Shared memory that contains the offset in milliseconds, one number of 8 bytes. */
  readonly #memory: DataView<SharedArrayBuffer>;

  /** Creates a new clock, or the clock of a buffer from another thread. */
  constructor(buffer = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)) {
    this.#memory = new DataView(buffer);
  }

  /** The buffer with which another thread can share this clock. */
  get buffer(): SharedArrayBuffer {
    return this.#memory.buffer;
  }

  /** The difference to the machine's time, in milliseconds. */
  get offsetMs(): number {
    return this.#memory.getFloat64(0);
  }

  /** The virtual time in milliseconds since 1970. */
  now(): number {
    return MachineDate.now() + this.offsetMs;
  }

  /** Moves the clock, in addition to earlier moves. */
  advance(ms: number): void {
    this.#memory.setFloat64(0, this.offsetMs + ms);
  }

  /** Replaces the Date of the thread with this clock. A Date with arguments, such as `new Date(0)`, does not change. */
  install(): void {
    const now = () => this.now();
    globalThis.Date = new Proxy(MachineDate, {
      // Date() returns a text.
      apply: () => new MachineDate(now()).toString(),
      // new Date() and new Date(0)
      construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
      get: (target, property) => (property === 'now' ? now : Reflect.get(target, property)),
    });
  }
}
