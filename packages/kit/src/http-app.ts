import path from 'node:path'
import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { bodyLimits } from './body-room.ts'
import { usualValues, valuesAbove } from './body-values.ts'
import { createHttpServer, type HttpLimits, httpLimits, refuseUnreadable } from './http-server.ts'
import { replyWithError } from './reply-with-error.ts'
import type { Site } from './service.ts'
import {
  refuseUnstorableAddress,
  refuseUnstorableForm,
  unstorableJson,
} from './storable-request.ts'
import { endUpgrades } from './upgrades.ts'

type Options = {
  site: Site
  logger?: FastifyServerOptions['logger']
  limits?: Partial<HttpLimits> | undefined
}

/** HTTP app without routes; services add theirs. */
export function createApp({ logger, site, limits }: Options): FastifyInstance {
  const { trustedProxies = [] } = site
  const onError = replyWithError(path.join(site.dataDir, 'postgres'))
  const app = Fastify({
    ...(trustedProxies.length > 0 && { trustProxy: [...trustedProxies] }),
    logger: logger ?? { level: 'silent' },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimits.usual,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    rewriteUrl: ({ url = '/' }) => withoutTrailingBlanks(url),
    forceCloseConnections: true,
    serverFactory: (handler) =>
      createHttpServer(handler, { ...httpLimits, ...limits }, trustedProxies),
    clientErrorHandler: refuseUnreadable,
    // An address that cannot be decoded matches no route, so the framework's handler answers.
    frameworkErrors: onError,
    schemaController: { compilersFactory: withoutSchemas },
  })
  app.setErrorHandler(onError)
  app.addHook('onRequest', (_, reply, done) => {
    void reply.header('x-content-type-options', 'nosniff')
    if (site.origin.startsWith('https:')) {
      void reply.header('strict-transport-security', 'max-age=31536000')
    }
    done()
  })
  app.addHook('onRequest', refuseUnstorableAddress)
  app.addHook('preValidation', refuseUnstorableForm)
  app.addHook('preClose', () => endUpgrades(app.server))
  takeEmptyJson(app)
  return app
}

const noSchema = () => {
  throw new Error('routes are checked by the contract of their service, not by a JSON Schema')
}
/** Empty compilers in place of Fastify's JSON Schema compilers, which take 0.2 s to load. */
const withoutSchemas = { buildValidator: noSchema, buildSerializer: noSchema }

const blank = '%20'
const mostBlanks = 10

/** Address without trailing blanks: an existing client requests `instance` followed by two. */
export function withoutTrailingBlanks(url: string) {
  const end = url.indexOf('?')
  const asked = end === -1 ? url : url.slice(0, end)
  let kept = asked
  for (let n = 0; n < mostBlanks && kept.endsWith(blank); n += 1)
    kept = kept.slice(0, -blank.length)
  return kept + url.slice(asked.length)
}

/** Accepts an empty JSON body as no body, because clients set the content type on every request. */
function takeEmptyJson(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    (request, body: string, done) => {
      if (body.trim() === '') return done(null, undefined)
      const tooMany = valuesAbove(request.routeOptions.config.mostValues ?? usualValues, body)
      if (tooMany) return done(tooMany)
      void parse(request, body, (error, value) => {
        const refused = error ?? unstorableJson(body, value)
        done(refused ?? null, value)
      })
    },
  )
}
