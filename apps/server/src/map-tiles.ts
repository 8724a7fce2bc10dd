import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { MapSettings } from './map-settings.ts'

/** Where the archive of the data folder is served; a page reads the parts of it that it shows. */
const archivePath = '/map-tiles/world.pmtiles'

/** What the portal is told of the map's tiles. */
export const mapForPortal = ({ file, ...map }: MapSettings) =>
  file === undefined ? map : { ...map, pmtiles: archivePath }

/** Serve the one archive, and nothing beside it. Its pictures are of the world: everybody may see them. */
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
