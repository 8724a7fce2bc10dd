import { z } from 'zod'
import { callNameOf, type Contract, type Endpoint, errorBody } from './contract.ts'
import { type Schema, schemaOf, withoutDefinitions } from './openapi-schema.ts'

/**
 * OpenAPI 3.1 document of the contracts below one base path. `needed` are the contracts of the
 * services that these call, whose refusals are passed on.
 */
export function openapiOf(
  base: string,
  contracts: readonly Contract[],
  needed: readonly Contract[] = [],
) {
  const paths: Record<string, Record<string, unknown>> = {}
  const schemas: Record<string, unknown> = { Error: schemaOf(errorBody, 'output') }
  for (const contract of contracts) {
    const passedOn = statusesOf([contract, ...needed])
    for (const [name, endpoint] of Object.entries(contract.endpoints)) {
      if (endpoint.access === 'service') continue // calls between services are not public
      const path = `${endpoint.base ?? base}${endpoint.path}`.replace(/:(\w+)/g, '{$1}')
      const method = endpoint.method.toLowerCase()
      const described = operation(contract, name, endpoint, passedOn)
      const { operationId } = described
      paths[path] = {
        ...paths[path],
        [method]: withoutDefinitions(operationId, described, schemas),
      }
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
      schemas,
      responses: {
        Refused: {
          description: 'Refused',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
    },
    paths,
  }
}

// oxlint-disable-next-line max-params -- a call, and what its service may refuse
function operation(
  contract: Contract,
  name: string,
  endpoint: Endpoint,
  refusals: readonly number[],
) {
  const access = typeof endpoint.access === 'function' ? 'by path' : String(endpoint.access)
  return {
    operationId: callNameOf(contract, name, endpoint).replace('.', '_'),
    'x-access': access,
    // A POST that only reads, because its query is too long for an address.
    ...(endpoint.reads === true && { 'x-reads': true }),
    security: securityOf(endpoint),
    parameters: [
      ...parametersOf('path', endpoint.params),
      ...parametersOf('query', endpoint.query),
    ],
    ...(endpoint.body && { requestBody: bodyOf(endpoint, endpoint.body) }),
    responses: {
      ...doneOf(endpoint),
      ...Object.fromEntries(refusals.map((status) => [status, refused])),
    },
  }
}

/** Security of a call: a person's token, or also an API key. */
function securityOf({ access, apiKeys }: Endpoint) {
  if (access === 'public') return []
  const personal = access === 'signed-in' && apiKeys !== true
  return personal ? [{ bearer: [] }] : [{ bearer: [] }, { apiKey: [] }]
}

function parametersOf(place: 'path' | 'query', type: z.ZodType | undefined) {
  const { properties = {}, required = [] }: Schema = type ? schemaOf(type, 'input') : {}
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema,
  }))
}

const bodyOf = ({ ignored = [] }: Endpoint, body: z.ZodType) => ({
  content: { 'application/json': { schema: schemaOf(body, 'input', ignored) } },
  required: !body.safeParse(undefined).success,
})

/** Successful answer: JSON, a file beside or in place of it, or nothing. */
function doneOf({ status = 200, result, files = [], columns }: Endpoint) {
  const isFile =
    files.length > 0 && (result instanceof z.ZodUndefined || result instanceof z.ZodString)
  const isNothing = result instanceof z.ZodUndefined && !isFile
  const content = {
    ...(!isFile && { 'application/json': { schema: schemaOf(result, 'output') } }),
    ...Object.fromEntries(files.map((type) => [type, { schema: { type: 'string' } }])),
  }
  const description = columns ? `Done. Columns of the CSV: ${columns.join(', ')}` : 'Done'
  return {
    ...(!isNothing && { [status]: { description, content } }),
    ...(!isFile &&
      result.safeParse(undefined).success && {
        204: { description: 'Done, with nothing to answer' },
      }),
  }
}

const refused = { $ref: '#/components/responses/Refused' }

/**
 * Statuses of every call: bad input, no or insufficient rights, not found, too large or long, too
 * many, unavailable.
 */
const always = [400, 401, 403, 404, 413, 414, 415, 429, 431, 500, 503]

const statusesOf = (contracts: readonly Contract[]) =>
  [...new Set([...always, ...contracts.flatMap(({ errors }) => Object.values(errors))])].toSorted(
    (one, other) => one - other,
  )
