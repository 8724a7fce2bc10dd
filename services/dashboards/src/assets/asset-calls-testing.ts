import type { Caller } from '@longreach/kit/service'
import { testNow } from '@longreach/kit/testing'
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { dashboardsBase } from '../asked-contract.ts'
import { dashboardsTest, query } from '../dashboards-testing.ts'
import { cleanupAssets } from './asset-cleanup.ts'
import { createAssetState } from './asset-state.ts'

type Sent = {
  caller?: Caller
  dashboard?: string
  organization?: string
  body?: Buffer
  type?: string
}

export const boundary = 'x-boundary-7'
export const part = (
  content: Buffer,
  headers = 'content-disposition: form-data; name="file"; filename="x"',
) =>
  Buffer.concat([Buffer.from(`--${boundary}\r\n${headers}\r\n\r\n`), content, Buffer.from('\r\n')])
export const end = Buffer.from(`--${boundary}--\r\n`)

export const digestOf = (content: Buffer | string) =>
  createHash('sha256').update(content).digest('hex')
const bearer = (caller: Caller) =>
  `Bearer ${Buffer.from(JSON.stringify(caller)).toString('base64url')}`

/** Server of dashboards with one dashboard, and the calls whose bodies are bytes. */
export async function assetsTest() {
  const server = await dashboardsTest()
  const { id } = await server.create()
  const { app, site } = server.server
  const { administrator } = server.people
  const folder = path.join(site.dataDir, 'assets')
  return {
    ...server,
    id,
    folder,
    of: (dashboard = id) => ({ params: { id: dashboard }, query }),
    /** Answer to a file that is sent in one request. */
    send(name: string, content: Buffer | string, sent: Sent = {}) {
      const { caller = administrator, dashboard = id, organization = query.organization } = sent
      const asked = new URLSearchParams({ organization, name, widgetId: 'w1' })
      return app.inject({
        method: 'POST',
        url: `${dashboardsBase}/${dashboard}/assets?${asked}`,
        headers: {
          authorization: bearer(caller),
          'content-type': sent.type ?? `multipart/form-data; boundary=${boundary}`,
        },
        payload: sent.body ?? Buffer.concat([part(Buffer.from(content)), end]),
      })
    },
    get: (url: string, headers: Record<string, string> = {}) =>
      app.inject({ method: 'GET', url, headers }),
    sendPiece: (upload: string, offset: number | string, piece: Buffer, caller = administrator) =>
      app.inject({
        method: 'PATCH',
        url: `${dashboardsBase}/assets/uploads/${upload}?organization=${query.organization}`,
        headers: {
          authorization: bearer(caller),
          'content-type': 'application/octet-stream',
          'upload-offset': String(offset),
        },
        payload: piece,
      }),
    rows: () => server.db.selectFrom('asset').selectAll().execute(),
    uploads: () => server.db.selectFrom('upload').selectAll().execute(),
    begun: () => readdir(path.join(folder, 'begun')),
    sweep: async () => {
      const state = createAssetState({ site })
      await cleanupAssets({ db: server.db, now: () => testNow, state })
      await state.close()
    },
  }
}
export type AssetsTest = Awaited<ReturnType<typeof assetsTest>>
