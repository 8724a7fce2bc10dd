import { createHash } from 'node:crypto'
import type { Contract, Endpoint } from '@longreach/kit/contract'
import type { FastifyInstance } from 'fastify'

const style = `
:root { color-scheme: light dark; font: 14px/1.5 Inter, system-ui, sans-serif }
body { max-width: 1000px; margin: 0 auto; padding: 24px 16px }
h2 { margin: 32px 0 8px }
table { width: 100%; border-collapse: collapse }
th, td { text-align: left; padding: 6px 8px; border-bottom: 1px solid color-mix(in srgb, currentColor 18%, transparent); vertical-align: top }
code { font-family: ui-monospace, monospace; overflow-wrap: anywhere }
td:first-child { width: 5em; font-weight: 600 }
@media (max-width: 600px) { th:last-child, td:last-child { display: none } }
`
const styleHash = createHash('sha256').update(style).digest('base64')
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`

/** Page `/docs` with every public call of the services that run here, with its required access. */
export function apiPage(app: FastifyInstance, contracts: readonly Contract[]) {
  const body = [...Map.groupBy(contracts, ({ base }) => base)].map(([base, sharing]) =>
    section(base, sharing),
  )
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Longreach API</title><style>${style}</style></head><body><main><h1>Longreach API</h1>
<p>Sign in through OpenID Connect at <code>/auth/realms/{realm}</code> and send the token as
<code>Authorization: Bearer …</code>. Errors have one body: <code>{statusCode, error, code, message, details}</code>.</p>
${body.join('\n')}</main></body></html>`
  app.get('/docs', (_, reply) =>
    reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(html),
  )
}

function section(base: string, contracts: Contract[]) {
  const endpoints = contracts.flatMap(({ endpoints }) => Object.values(endpoints))
  const rows = endpoints.filter(({ access }) => access !== 'service').map((one) => row(base, one))
  if (rows.length === 0) return ''
  const title = contracts.map(({ service }) => service).join(', ')
  return `<h2>${title}</h2><p><a href="${base}/openapi.json">OpenAPI 3.1</a></p>
<table><thead><tr><th>Method</th><th>Path</th><th>Access</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

const row = (base: string, { method, path, access }: Endpoint) =>
  `<tr><td>${method}</td><td><code>${base}${path}</code></td><td>${
    typeof access === 'function' ? 'by path' : [access].flat().join(' or ')
  }</td></tr>`
