import { failure } from '@longreach/kit/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { open } from 'node:fs/promises'
import { z } from 'zod'
import { dashboardsContract } from '../contract.ts'
import { checkAddress } from './asset-address.ts'
import { noAsset } from './asset-failures.ts'
import { ignoreMissing } from './asset-files.ts'
import type { AssetDeps } from './asset-state.ts'
import { findByDigest } from './asset-store.ts'

const Asked = z.object({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  name: z.string(),
  o: z.string().min(1),
  u: z.string(),
  s: z.string(),
})

/** A file may draw itself and its own pictures, and nothing else: no script, no frame, no other address. */
const policy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"

/**
 * Sends a file to a caller who has its signed address. An address that was altered, or whose file is deleted,
 * opens nothing.
 */
export async function sendAsset(deps: AssetDeps, request: FastifyRequest, reply: FastifyReply) {
  void reply.header('cache-control', 'no-store')
  const params = request.params as Record<string, unknown>
  const asked = Asked.safeParse({ ...(request.query as object), ...params })
  if (!asked.success) throw noAsset(String(params['name']))
  const { sha256, name, o: org, u, s } = asked.data
  const state = checkAddress(deps.secrets, { sha256, name, org, u, s }, deps.now())
  if (state === 'altered') throw noAsset(name)
  if (state === 'over') throw addressOver(name)
  const digest = Buffer.from(sha256, 'hex')
  const row = await findByDigest(deps.db, org, name, digest)
  if (!row) throw noAsset(name)
  const handle = await open(deps.state.files.keptFile(sha256)).catch(ignoreMissing)
  if (!handle) {
    request.log.error({ sha256 }, 'a file of a dashboard is missing in the data folder')
    throw noAsset(name)
  }
  const { size } = await handle.stat()
  const type = row.sha256.equals(digest) ? row.type : 'image/webp'
  const range = rangeOf(request.headers.range, size)
  const seconds = Number(u) - Math.floor(deps.now().getTime() / 1_000)
  void reply.headers({
    ...fileHeaders(type, name),
    'cache-control': `private, max-age=${seconds}, immutable`,
    etag: `"${sha256}"`,
    'accept-ranges': 'bytes',
    'content-length': range ? range.end - range.start + 1 : size,
    ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${size}` }),
  })
  return reply.code(range ? 206 : 200).send(handle.createReadStream(range))
}

/** Headers with which a browser neither runs a file nor takes it for another type. */
function fileHeaders(type: string, name: string) {
  const shown = type.startsWith('image/') ? 'inline' : 'attachment'
  return {
    'content-type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    'content-disposition': `${shown}; filename*=UTF-8''${encoded(name)}`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': policy,
    'cross-origin-resource-policy': 'same-origin',
  }
}

/** Name in a header (RFC 8187): letters and digits, everything else as the bytes of UTF-8. */
const encoded = (name: string) =>
  encodeURIComponent(name).replaceAll(/['()*!]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)

/** One range of bytes (RFC 9110, section 14.1.2); anything else gets the whole file. */
function rangeOf(header: string | undefined, size: number) {
  const [, from, to] = /^bytes=(\d{1,12})-(\d{0,12})$/.exec(header ?? '') ?? []
  if (from === undefined) return undefined
  const start = Number(from)
  const end = Math.min(to === undefined || to === '' ? size - 1 : Number(to), size - 1)
  return start <= end ? { start, end } : undefined
}

const addressOver = (name: string) =>
  failure(dashboardsContract, 'asset_link_over', {
    message: `The address of ${name} is no longer valid. Open the dashboard again.`,
    field: 'u',
  })
