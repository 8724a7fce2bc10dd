import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { MapSettings } from './map-settings.ts'

/** Address of the map archive in the data folder; a page reads the parts that it shows. */
const archivePath = '/map-tiles/world.pmtiles'

/** Map settings for the portal. */
export const mapForPortal = ({ file, ...map }: MapSettings) =>
  file === undefined ? map : { ...map, pmtiles: archivePath }

/** Serves the one archive to everybody: its pictures show the world and nothing of the product. */
export async function mapTiles(app: FastifyInstance, dataDir: string, file: string) {
  const root = path.dirname(path.resolve(dataDir, file))
  await app.register(fastifyStatic, {
    root,
    serve: false,
    decorateReply: !app.hasReplyDecorator('sendFile'),
  })
  app.get(archivePath, (_, reply) =>
    reply
      .header('x-content-type-options', 'nosniff')
      .type('application/octet-stream')
      .sendFile(path.basename(file), root, { cacheControl: true, maxAge: 3_600_000 }),
  )
}
