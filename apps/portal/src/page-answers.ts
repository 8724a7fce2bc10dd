import { alarmsContract } from '@longreach/alarms/contract'
import { notificationsContract } from '@longreach/notifications/contract'
import { auditContract } from '@longreach/audit/contract'
import { coreContract } from '@longreach/core/contract'
import type { Call } from '@longreach/kit/client'
import type { Contract, Endpoint } from '@longreach/kit/contract'
import { mappingsContract } from '@longreach/mappings/contract'
import { platformContract } from '@longreach/platform/contract'
import { triggersContract } from '@longreach/triggers/contract'
import type { z } from 'zod'

const contracts: readonly Contract[] = [
  coreContract,
  mappingsContract,
  platformContract,
  auditContract,
  alarmsContract,
  notificationsContract,
  triggersContract,
]

/** Call as the server receives it: parameters of its path, its query, its body. */
export type Asked<E extends Endpoint> = {
  params: Record<string, string>
  query: URLSearchParams
  body: E['body'] extends z.ZodType ? z.input<E['body']> : undefined
}
/** Body of an answer as it goes over the network. */
export type Reply<E extends Endpoint> = z.input<E['result']>
/** Answers by `METHOD /path`: data, or a whole response, such as a refusal. */
export type Answers = Record<string, (url: URL, body: unknown) => unknown>

type Route = {
  method: string
  pattern: RegExp
  tell: (found: { url: URL; params: Record<string, string>; body: unknown }) => unknown
}
/** Routes by `METHOD /path/:name`. */
const routes = new Map<string, Route>()

/** Answers these paths, and no other from before. */
export function answerPaths(answers: Answers) {
  routes.clear()
  for (const [key, told] of Object.entries(answers)) {
    const [method = '', path = ''] = key.split(' ')
    const tell: Route['tell'] = ({ url, body }) => told(url, body)
    routes.set(key, { method, pattern: new RegExp(`^${literally(path)}$`), tell })
  }
}

/** Answers a call of the API in place of an earlier answer to it. */
export function answerCall<E extends Endpoint>(
  { key }: Call<E>,
  reply: (asked: Asked<E>) => Reply<E> | Response,
) {
  const [service = '', name = ''] = key.split('.')
  const contract = contracts.find((one) => one.service === service)
  const endpoint = contract?.endpoints[name]
  if (contract === undefined || endpoint === undefined) throw new Error(`There is no call ${key}`)
  const path = `${endpoint.base ?? contract.base}${endpoint.path}`
  const source = literally(path).replace(/:(\w+)/g, '(?<$1>[^/]+)')
  routes.set(`${endpoint.method} ${path}`, {
    method: endpoint.method,
    pattern: new RegExp(`^${source}$`),
    tell: ({ url, params, body }) =>
      reply({ params, query: url.searchParams, body: body as Asked<E>['body'] }),
  })
}

const literally = (path: string) => path.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Server at the page's outer edge: what nothing answers is not found. */
export async function answerFetch(input: RequestInfo | URL, init?: RequestInit) {
  const url = new URL(String(input), location.origin)
  const method = init?.method ?? 'GET'
  const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
  const found = [...routes.values()]
    .filter((route) => route.method === method)
    .flatMap(({ pattern, tell }) => {
      const match = pattern.exec(url.pathname)
      return match ? [{ params: match.groups ?? {}, tell }] : []
    })
    // `/users/mine` before `/users/:id`
    .toSorted((one, other) => Object.keys(one.params).length - Object.keys(other.params).length)[0]
  if (found === undefined) {
    return Response.json(
      { statusCode: 404, error: '', code: 'none', message: '', details: {} },
      { status: 404 },
    )
  }
  const params = Object.fromEntries(
    Object.entries(found.params).map(([name, value]) => [name, decodeURIComponent(value)]),
  )
  const told = found.tell({ url, params, body })
  if (told instanceof Response) return told
  return told === undefined ? new Response(null, { status: 204 }) : Response.json(told)
}
