export class ByteWriter {
  bytes: Buffer;
  view: DataView;
  length = 0;

  constructor(room: number) {
    this.bytes = Buffer.allocUnsafeSlow(room);
    this.view = viewOf(this.bytes);
  }

  /** What was written; valid until the next write. */
  get written(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  makeRoom(bytes: number): void {
    if (this.length + bytes <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.length + bytes));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
    this.view = viewOf(larger);
  }

  byte(byte: number): void {
    this.makeRoom(1);
    this.bytes[this.length] = byte;
    this.length += 1;
  }

  append(bytes: Uint8Array): void {
    this.makeRoom(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  fill(byte: number, times: number): void {
    this.makeRoom(times);
    this.bytes.fill(byte, this.length, this.length + times);
    this.length += times;
  }

  text(text: string): void {
    // A UTF-16 unit takes three bytes at most.
    this.makeRoom(3 * text.length);
    this.length += this.bytes.write(text, this.length);
  }

  /** ASCII characters: faster than `text` for short ones. */
  ascii(text: string): void {
    this.makeRoom(text.length);
    for (let index = 0; index < text.length; index += 1) {
      this.bytes[this.length + index] = text.charCodeAt(index);
    }
    this.length += text.length;
  }

  /** Faster than `Buffer.copy` for short pieces. */
  copy(from: DataView, start: number, end: number): void {
    this.makeRoom(end - start);
    const { view } = this;
    let at = this.length;
    let next = start;
    for (; next + 4 <= end; next += 4) {
      view.setInt32(at, from.getInt32(next));
      at += 4;
    }
    for (; next < end; next += 1) {
      view.setUint8(at, from.getUint8(next));
      at += 1;
    }
    this.length = at;
  }
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
