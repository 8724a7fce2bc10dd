import { open } from 'node:fs/promises'
import type { UploadRow } from '../database.ts'
import { brokenAsset, tooLargeAsset, wrongType } from './asset-failures.ts'
import { contentOf, type FileContent } from './asset-files.ts'
import { assetLimits } from './asset-name-contract.ts'
import type { AssetState } from './asset-state.ts'
import { createTextCheck, headBytes, type PictureType, typeOfContent } from './asset-type.ts'
import type { EncodedPicture } from './picture-encoding.ts'
import type { PictureSize } from './picture-size.ts'
import type { SvgLoss } from './svg-reading.ts'

/** File as it will be kept: where it lies now, and what it is. */
export type ReadAsset = {
  type: string
  file: { path: string } & FileContent
  preview?: { path: string } & FileContent
  size?: PictureSize
  losses: SvgLoss[]
}

const encoding = {
  module: new URL('./picture-encoding.ts', import.meta.url),
  name: 'encodePicture',
}
const drawing = { module: new URL('./svg-reading.ts', import.meta.url), name: 'rewriteSvg' }

/** Reads an uploaded file by its content: pictures and drawings are written anew into `fresh` files. */
export async function readUploaded(
  { files, pool }: AssetState,
  { id, name, bytes }: UploadRow,
  fresh: { first: string; second: string },
): Promise<ReadAsset> {
  const source = files.uploadFile(id)
  const found = typeOfContent(await headOf(source), name)
  if (!found) throw wrongType(name)
  const limit = assetLimits[found.kind]
  if (bytes > limit) throw tooLargeAsset(name, limit)
  switch (found.kind) {
    case 'picture':
      return readPicture(pool, { source, name, picture: found.picture }, fresh)
    case 'svg': {
      const read = await pool.run<{ losses: SvgLoss[] } | { fault: string }>(drawing, [
        source,
        fresh.first,
      ])
      if ('fault' in read) throw brokenAsset(name, read.fault)
      return { type: 'image/svg+xml', file: await at(fresh.first), losses: read.losses }
    }
    case 'file':
      return readKept(source, name, found.type)
  }
}

type Source = { source: string; name: string; picture: PictureType }

async function readPicture(
  pool: AssetState['pool'],
  { source, name, picture }: Source,
  { first, second }: { first: string; second: string },
): Promise<ReadAsset> {
  const into = { picture: first, preview: second }
  const read = await pool.run<EncodedPicture>(encoding, [source, picture, into])
  if ('refused' in read) {
    if (read.refused === 'broken') throw brokenAsset(name, 'the picture cannot be read')
    throw brokenAsset(name, `its ${read.width} × ${read.height} pixels are more than 40 million`)
  }
  return {
    type: 'image/webp',
    file: await at(first),
    preview: await at(second),
    size: read,
    losses: [],
  }
}

/** A file that is kept as it is; texts are UTF-8 to their end. */
async function readKept(source: string, name: string, type: string): Promise<ReadAsset> {
  const check = type.startsWith('text/') ? createTextCheck() : undefined
  let isText = true
  const content = await contentOf(source, (piece) => {
    if (check && isText) isText = check(piece, false)
  })
  if (check && !(isText && check(Buffer.alloc(0), true)))
    throw brokenAsset(name, 'a text in UTF-8 is expected')
  return { type, file: { path: source, ...content }, losses: [] }
}

const at = async (path: string) => ({ path, ...(await contentOf(path)) })

async function headOf(file: string) {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
