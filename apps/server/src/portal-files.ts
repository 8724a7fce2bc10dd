import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { isOrganizationHost } from '@longreach/kit/own-origin'
import type { Site } from '@longreach/kit/service'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { MapSettings } from './map-settings.ts'
import { mapForPortal, mapTiles } from './map-tiles.ts'

/** Experimental features by name: offered only, never offered, on where a person has not chosen. */
export type FeatureSettings = Partial<Record<'allowed' | 'forbidden' | 'enabled', string[]>>

/** What of the server's settings the portal needs to know. */
type PortalSettings = {
  i18nHost?: string | undefined
  keycloak?: { url: string; realms: ReadonlyMap<string, string>; scope?: string } | undefined
  features?: FeatureSettings | undefined
  map?: MapSettings | undefined
}

const dist = fileURLToPath(new URL('../../portal/dist/', import.meta.url))

/**
 * What the portal's pages may do. Styles are set by scripts (positions, chart sizes), so they may be
 * inline; scripts may not.
 */
function contentSecurity({ i18nHost, keycloak, map }: PortalSettings, origin: string) {
  const also = (...hosts: (string | undefined)[]) =>
    hosts.flatMap((host) => (host === undefined ? [] : [` ${new URL(host).origin}`])).join('')
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    // At the host of an organization people sign in at the installation's own.
    `connect-src 'self'${also(origin, i18nHost, keycloak?.url, map?.tiles, map?.pmtiles)}`,
    // Where Keycloak is, the frame that watches the session is there too.
    `frame-src 'self'${also(origin, keycloak?.url)}`,
    "frame-ancestors 'self'",
    "base-uri 'self'",
    "object-src 'none'",
    "form-action 'self'",
  ].join('; ')
}

const headersWith = (settings: PortalSettings, origin: string) => ({
  'content-security-policy': contentSecurity(settings, origin),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
})

/** For the page; how a realm is called at Keycloak is told for one realm, so that nobody gets a list of them. */
const settingsFor = ({ i18nHost, keycloak, features, map }: PortalSettings, realm: unknown) => ({
  ...(features && { features }),
  ...(map && { map: mapForPortal(map) }),
  ...(i18nHost !== undefined && { i18nHost }),
  ...(keycloak && {
    identityUrl: keycloak.url,
    ...(keycloak.scope !== undefined && { identityScope: keycloak.scope }),
    ...(typeof realm === 'string' && { identityRealm: keycloak.realms.get(realm) ?? realm }),
  }),
})

const yearS = 31_536_000
const apiPaths = ['/svc/', '/auth/', '/pairing/']
const isApi = (url: string) => apiPaths.some((start) => url.startsWith(start))

/**
 * Serve the built portal: hashed files for a year, the page itself never cached, any other path is a page.
 * While it is still being built, until `built` ends, who asks for a page waits; calls of the API do not.
 */
export async function portalFiles(
  app: FastifyInstance,
  site: Site,
  settings: PortalSettings = {},
  built?: Promise<void>,
) {
  // Where the installation is, is final only when it listens.
  const headers = () => headersWith(settings, site.origin)
  app.get<{ Querystring: { realm?: unknown } }>('/portal-settings.json', ({ query }, reply) =>
    reply.header('cache-control', 'no-cache').send({
      ...settingsFor(settings, query.realm),
      origin: site.origin,
    }),
  )
  if (built) {
    app.addHook('onRequest', async ({ url }) => {
      if (!isApi(url)) await built
    })
  }
  if (built || existsSync(dist)) {
    await app.register(fastifyStatic, {
      root: dist,
      suppressWarning: true, // the first build is what makes this folder
      index: false,
      wildcard: true,
      preCompressed: true,
      setHeaders: (reply, file) => {
        const hashed = file.includes(`${path.sep}assets${path.sep}`)
        void reply.header(
          'cache-control',
          hashed ? `public, max-age=${yearS}, immutable` : 'no-cache',
        )
        for (const [name, value] of Object.entries(headers())) void reply.header(name, value)
      },
    })
    app.get('/', (request, reply) => page(request.hostname, request.url, reply))
  }

  if (settings.map?.file !== undefined) await mapTiles(app, site.dataDir, settings.map.file)

  const page = (host: string, url: string, reply: FastifyReply) => {
    // Its own host and those of organizations: no other is trusted.
    const { hostname } = new URL(site.origin)
    const own = host === hostname || isOrganizationHost(host, hostname)
    if (!own) return reply.redirect(`${site.origin}${url}`, 302)
    return reply.headers(headers()).header('cache-control', 'no-cache').sendFile('index.html')
  }

  app.setNotFoundHandler((request, reply) => {
    const { url, method, hostname } = request
    const wantsPage = method === 'GET' && (request.headers.accept ?? '').includes('text/html')
    if (wantsPage && existsSync(dist) && !isApi(url)) {
      return page(hostname, url, reply)
    }
    return reply.code(404).send({
      statusCode: 404,
      error: 'Not Found',
      code: 'request.no_such_path',
      message: `There is nothing at ${method} ${url.split('?')[0] ?? ''}`,
      details: {},
    })
  })
}
