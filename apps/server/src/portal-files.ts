import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { isOrganizationHost } from '@longreach/kit/own-origin'
import type { Site } from '@longreach/kit/service'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { MapSettings } from './map-settings.ts'
import { mapForPortal, mapTiles } from './map-tiles.ts'

/**
 * Experimental features by name: the only ones available, unavailable ones, and those on by
 * default.
 */
export type FeatureSettings = Partial<Record<'allowed' | 'forbidden' | 'enabled', string[]>>

/** Server settings that the portal needs. */
type PortalSettings = {
  i18nHost?: string | undefined
  keycloak?: { url: string; realms: ReadonlyMap<string, string>; scope?: string } | undefined
  features?: FeatureSettings | undefined
  map?: MapSettings | undefined
}

const dist = fileURLToPath(new URL('../../portal/dist/', import.meta.url))

/**
 * Content security policy of the portal's pages. Inline styles are allowed, because scripts set
 * positions and chart sizes; inline scripts are not.
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
    // On an organization's host people sign in at the installation's own host.
    `connect-src 'self'${also(origin, i18nHost, keycloak?.url, map?.tiles, map?.pmtiles)}`,
    // The frame that watches the session is served by Keycloak.
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

/**
 * Settings for a page. The Keycloak name is given for the requested realm only, so that nobody gets
 * a list of realms.
 */
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
 * Serves the built portal: hashed files are cached for a year, the page never; any other path gets
 * the page. Until `built` ends, page requests wait; API calls do not.
 */
export async function portalFiles(
  app: FastifyInstance,
  site: Site,
  settings: PortalSettings = {},
  built?: Promise<void>,
) {
  // The origin is final only when the server listens.
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
      suppressWarning: true, // the folder appears with the first build
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
    // Only its own host and those of organizations are trusted.
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
