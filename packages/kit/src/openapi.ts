import { z } from 'zod'
import type { Contract, Endpoint } from './contract.ts'
import { errorBody } from './contract.ts'

/** OpenAPI 3.1 of the contracts below one base path, derived and never written by hand. */
export function openapiOf(base: string, contracts: readonly Contract[]) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const contract of contracts) {
    for (const [name, endpoint] of Object.entries(contract.endpoints)) {
      if (endpoint.access === 'service') continue // not for callers from outside
      const path = `${endpoint.base ?? base}${endpoint.path}`.replace(/:(\w+)/g, '{$1}')
      const method = endpoint.method.toLowerCase()
      paths[path] = { ...paths[path], [method]: operation(contract, name, endpoint) }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `Longreach ${contracts.map(({ service }) => service).join(', ')}`,
      version: '1',
    },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      },
      schemas: { Error: schemaOf(errorBody) },
    },
    paths,
  }
}

function operation(contract: Contract, name: string, endpoint: Endpoint) {
  const access = typeof endpoint.access === 'function' ? 'by path' : String(endpoint.access)
  const status = String(endpoint.status ?? 200)
  return {
    operationId: `${contract.service}_${name}`,
    'x-access': access,
    // A POST that only asks, because its question is too long for an address.
    ...(endpoint.reads === true && { 'x-reads': true }),
    security: securityOf(endpoint),
    parameters: [
      ...parametersOf('path', endpoint.params),
      ...parametersOf('query', endpoint.query),
    ],
    ...(endpoint.body && { requestBody: { content: json(endpoint.body), required: true } }),
    responses: {
      [status]: { description: 'Done', content: json(endpoint.result) },
      default: {
        description: 'Refused',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}

/** A person's token, or a key where keys may call. */
function securityOf({ access, apiKeys }: Endpoint) {
  if (access === 'public') return []
  const personal = access === 'signed-in' && apiKeys !== true
  return personal ? [{ bearer: [] }] : [{ bearer: [] }, { apiKey: [] }]
}

function parametersOf(place: 'path' | 'query', type: z.ZodType | undefined) {
  const { properties = {}, required = [] } = (type ? schemaOf(type) : {}) as {
    properties?: Record<string, unknown>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema,
  }))
}

const json = (type: z.ZodType) => ({ 'application/json': { schema: schemaOf(type) } })
const schemaOf = (type: z.ZodType) => z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' })
