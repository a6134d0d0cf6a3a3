import { crc32, deflateRawSync } from 'node:zlib';

/** A file in an archive, with what its headers say of it: by default the truth. */
export interface Member {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly isStored?: boolean;
  /** How well it is packed: 0 leaves the bytes as they are, in blocks. */
  readonly level?: number;
  /** The bytes in the archive, instead of the packed content. */
  readonly packed?: Uint8Array;
  readonly method?: number;
  readonly flags?: number;
  /** CRC and sizes stand behind the bytes instead of before them. */
  readonly isStreamed?: boolean;
  readonly crc?: number;
  readonly localCrc?: number;
  readonly size?: number;
  readonly localSize?: number;
  readonly packedSize?: number;
  /** Sizes in an extra field of 64 bits. */
  readonly isLarge?: boolean;
}

export interface Archive {
  readonly comment?: Uint8Array;
  /** Bytes before the first member, which positions do not count. */
  readonly before?: Uint8Array;
}

/** An archive as APPNOTE.TXT describes it. */
export function zipOf(members: readonly Member[], { comment, before }: Archive = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let position = 0;
  for (const member of members) {
    const content = Buffer.from(member.content);
    const { isStored = false, level = 6, isStreamed = false, isLarge = false } = member;
    const packed = Buffer.from(
      member.packed ?? (isStored ? content : deflateRawSync(content, { level })),
    );
    const name = Buffer.from(member.name);
    const crc = member.crc ?? crc32(content);
    const size = member.size ?? content.length;
    const packedSize = member.packedSize ?? packed.length;
    const localSize = member.localSize ?? size;
    const flags = (member.flags ?? 0) | (isStreamed ? 8 : 0) | 0x800;
    const method = member.method ?? (isStored ? 0 : 8);
    const extra = isLarge ? largeSizes(size, packedSize) : Buffer.alloc(0);
    const sizes = isLarge ? [0xffffffff, 0xffffffff] : [packedSize, size];
    const localSizes = isLarge ? [0xffffffff, 0xffffffff] : [packedSize, localSize];
    const shared = (of: readonly number[], sum: number) =>
      fields(
        [2, isLarge ? 45 : 20],
        [2, flags],
        [2, method],
        [2, 0],
        [2, 0x5c65],
        [4, sum],
        [4, of[0] ?? 0],
        [4, of[1] ?? 0],
        [2, name.length],
        [2, extra.length],
      );
    const local = Buffer.concat([
      Buffer.from('PK\x03\x04', 'latin1'),
      isStreamed ? shared([0, 0], 0) : shared(localSizes, member.localCrc ?? crc),
      name,
      extra,
      packed,
      isStreamed
        ? Buffer.concat([
            Buffer.from('PK\x07\x08', 'latin1'),
            fields([4, crc], [4, packedSize], [4, size]),
          ])
        : Buffer.alloc(0),
    ]);
    directory.push(
      Buffer.from('PK\x01\x02', 'latin1'),
      fields([2, 20]),
      shared(sizes, crc),
      fields([2, 0], [2, 0], [2, 0], [4, 0], [4, position]),
      name,
      extra,
    );
    parts.push(local);
    position += local.length;
  }
  const listed = Buffer.concat(directory);
  const count = members.length;
  const end = fields(
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, listed.length],
    [4, position],
    [2, comment?.length ?? 0],
  );
  return Buffer.concat([
    before ?? Buffer.alloc(0),
    ...parts,
    listed,
    Buffer.from('PK\x05\x06', 'latin1'),
    end,
    comment ?? Buffer.alloc(0),
  ]);
}

function largeSizes(size: number, packedSize: number): Buffer {
  return fields([2, 1], [2, 16], [4, size], [4, 0], [4, packedSize], [4, 0]);
}

/** Numbers of so many bytes each, the lowest first. */
function fields(...all: readonly (readonly [bytes: number, value: number])[]): Buffer {
  return Buffer.concat(
    all.map(([bytes, value]) => {
      const buffer = Buffer.alloc(bytes);
      buffer.writeUIntLE(value >>> 0, 0, bytes);
      return buffer;
    }),
  );
}
