/** A memory of WebAssembly, which gets a new buffer when it grows, in pages of 64 kB. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): void;
}

declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
};

const pageBytes = 0x10000;

/** Loads a module from base64; `Exports` are its exports besides its memory. */
export function loadModule<Exports>(base64: string, imports: object = {}) {
  const module = new WebAssembly.Module(Buffer.from(base64, 'base64'));
  const { exports } = new WebAssembly.Instance(module, imports);
  return exports as Exports & { readonly memory: WasmMemory };
}

/** Grows a memory to so many bytes, and returns all of it. */
export function withRoom(memory: WasmMemory, bytes: number): Buffer {
  const missing = bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / pageBytes));
  return Buffer.from(memory.buffer);
}
