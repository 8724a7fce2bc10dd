import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { dashboardsBase } from '../asked-contract.ts'
import { busyUpload, invalidUpload, noUpload, tooLargeAsset } from './asset-failures.ts'
import { assetLimits, kindOfName } from './asset-name-contract.ts'
import type { AssetDeps } from './asset-state.ts'
import { updateUpload } from './asset-store.ts'
import { largestPiece, offsetHeader } from './contract.ts'
import { boundaryOf, readOneFile } from './multipart-file.ts'
import { sendAsset } from './sending.ts'
import { keepPiece } from './upload-handlers.ts'

const uploads = `${dashboardsBase}/assets/uploads`

/** Bytes beside the file in a body of one part: its boundaries and headers. */
const frame = 4_096

type Posted = FastifyRequest<{ Params: { id: string }; Querystring: Record<string, unknown> }>
type Piece = FastifyRequest<{ Params: { upload: string } }>

/**
 * Routes whose bodies are bytes. Each first makes the call of the contract that it belongs to, with the
 * credential and address of its own request, so that sign-in, permissions, limits and the audit trail are
 * those of the call; its refusal is the answer.
 */
export async function mountAssets(app: FastifyInstance, deps: AssetDeps) {
  app.get(`${dashboardsBase}/assets/:sha256/:name`, (request, reply) =>
    sendAsset(deps, request, reply),
  )
  await app.register((scope, _, done) => {
    scope.addContentTypeParser('multipart/form-data', (_request, payload, parsed) =>
      parsed(null, payload),
    )
    scope.addContentTypeParser(
      'application/octet-stream',
      { parseAs: 'buffer', bodyLimit: largestPiece },
      (_request, body, parsed) => parsed(null, body),
    )
    addUpload(scope, app, deps)
    addPieces(scope, app, deps)
    done()
  })
}

/** A whole file in one request, in multipart/form-data. */
function addUpload(scope: FastifyInstance, app: FastifyInstance, deps: AssetDeps) {
  const begun = new WeakMap<FastifyRequest, Begun>()
  scope.post<{ Params: { id: string }; Querystring: Record<string, unknown> }>(
    `${dashboardsBase}/:id/assets`,
    {
      // The file is counted while it is read.
      bodyLimit: 2 * assetLimits.file,
      onRequest: async (request, reply) => {
        void reply.header('cache-control', 'no-store')
        const answer = await ask(app, request, {
          method: 'POST',
          path: uploads,
          body: startOf(request),
        })
        if (answer.statusCode !== 201) return relayed(reply, answer)
        begun.set(request, answer.json())
        return undefined
      },
    },
    async (request, reply) => {
      const upload = begun.get(request)
      if (!upload) throw new Error('the upload was begun before its body is read')
      try {
        await receive(deps, upload, request)
        return await relayed(
          reply,
          await ask(app, request, {
            method: 'POST',
            path: `${uploads}/${upload.id}/done`,
            body: {},
          }),
        )
      } finally {
        // After a success it is gone already; what failed in one request is not continued.
        await ask(app, request, { method: 'DELETE', path: `${uploads}/${upload.id}` })
      }
    },
  )
}

const Begun = z.object({ id: z.uuid(), name: z.string() })
type Begun = z.output<typeof Begun>

/** Body of the call that begins an upload, as far as this request says it; that call checks it. */
function startOf({ params, query, headers }: Posted) {
  if (!/^multipart\/form-data\b/i.test(headers['content-type'] ?? ''))
    throw invalidUpload('A body in multipart/form-data with one file is expected.', 'content-type')
  const { name, widgetId } = query
  const limit = assetLimits[kindOfName(String(name)) ?? 'file']
  const length = Number(headers['content-length'] ?? limit)
  if (length > limit + frame) throw tooLargeAsset(String(name), limit)
  const bytes = Math.max(Math.min(length, limit), 1)
  return { name, bytes, dashboardId: params.id, ...(widgetId !== undefined && { widgetId }) }
}

/** Writes the file of a request into that of its upload. */
async function receive(deps: AssetDeps, { id, name }: Begun, request: Posted) {
  const limit = assetLimits[kindOfName(name) ?? 'file']
  const handle = await open(deps.state.files.uploadFile(id), 'w', 0o600)
  let bytes = 0
  try {
    const boundary = boundaryOf(request.headers['content-type'] ?? '')
    await readOneFile(request.body as Readable, boundary, async (piece) => {
      bytes += piece.length
      if (bytes > limit) throw tooLargeAsset(name, limit)
      await handle.writeFile(piece)
    })
  } finally {
    await handle.close()
  }
  if (bytes === 0) throw invalidUpload(`${name} is empty. Send a file with content.`)
  await updateUpload(deps.db, id, { bytes, received: bytes })
}

/** A piece of an upload, from the offset that a header says. */
function addPieces(scope: FastifyInstance, app: FastifyInstance, deps: AssetDeps) {
  const { pieces } = deps.state
  scope.patch<{ Params: { upload: string } }>(
    `${uploads}/:upload`,
    {
      bodyLimit: largestPiece,
      onRequest: async (request: Piece, reply) => {
        void reply.header('cache-control', 'no-store')
        const path = `${uploads}/${encodeURIComponent(request.params.upload)}`
        const answer = await ask(app, request, { method: 'GET', path })
        if (answer.statusCode !== 200) return relayed(reply, answer)
        const { upload } = request.params
        // A piece is in memory until it is written, so there is one of each upload.
        if (pieces.has(upload)) throw busyUpload()
        pieces.add(upload)
        for (const end of ['finish', 'close']) reply.raw.once(end, () => pieces.delete(upload))
        return undefined
      },
    },
    async (request, reply) => {
      const offset = request.headers[offsetHeader]
      if (typeof offset !== 'string' || !/^\d{1,12}$/.test(offset))
        throw invalidUpload(
          `The place of the first byte is expected in the header ${offsetHeader}.`,
          offsetHeader,
        )
      if (!Buffer.isBuffer(request.body) || request.body.length === 0)
        throw invalidUpload('The bytes of the piece are expected as application/octet-stream.')
      const { upload } = request.params
      if (!z.uuid().safeParse(upload).success) throw noUpload(upload)
      const next = await keepPiece(deps, upload, Number(offset), request.body)
      return reply.code(204).header(offsetHeader, next).send()
    },
  )
}

type Method = 'GET' | 'POST' | 'DELETE'

/** Headers that say who calls and from where. */
const forwarded = ['authorization', 'x-api-key', 'x-forwarded-for', 'user-agent'] as const

/** Makes a call of the contract as the caller of a request, in the same organization. */
function ask(
  app: FastifyInstance,
  request: FastifyRequest,
  { method, path, body }: { method: Method; path: string; body?: object },
) {
  const { organization } = request.query as { organization?: unknown }
  const query = typeof organization === 'string' ? `?${new URLSearchParams({ organization })}` : ''
  const named = forwarded.flatMap((name) => {
    const value = request.headers[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return app.inject({
    method,
    url: `${path}${query}`,
    headers: Object.fromEntries(named),
    remoteAddress: request.socket.remoteAddress ?? '',
    ...(body && { payload: body }),
  })
}

type Answer = Awaited<ReturnType<typeof ask>>

const relayed = (reply: FastifyReply, answer: Answer) =>
  reply
    .code(answer.statusCode)
    .type(answer.headers['content-type']?.toString() ?? 'application/json')
    .send(answer.rawPayload)
