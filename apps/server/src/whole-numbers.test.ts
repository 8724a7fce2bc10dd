import { openapiOf } from '@longreach/kit/openapi'
import { expect, test } from 'vitest'
import { chosenServices } from './services.ts'

type Schema = {
  type?: string
  maximum?: number
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

/** Numbers that are not stored in a 32-bit column, with the reason. */
const large: Record<string, string> = {
  pageSize: 'is held down to what a page may have',
  onDelayMs: 'is kept as JSON, up to a year',
  offDelayMs: 'is kept as JSON, up to a year',
  throttlingIntervalInMSec: 'is kept as JSON, up to a year',
  chatId: 'is kept as JSON',
  'audit_entry path id': 'is kept in 64 bits',
  'platform_commandAgent body input version': 'goes to the gateway as it is',
  'platform_updateView body version': 'is only compared, not asked for',
}

function wholeNumbers(schema: Schema | undefined, place: string): [string, number][] {
  if (!schema || typeof schema !== 'object') return []
  const own: [string, number][] =
    schema.type === 'integer' ? [[place, schema.maximum ?? Infinity]] : []
  const {
    properties = {},
    items,
    additionalProperties,
    anyOf = [],
    oneOf = [],
    allOf = [],
  } = schema
  const below = [items, additionalProperties, ...anyOf, ...oneOf, ...allOf]
  return [
    ...own,
    ...Object.entries(properties).flatMap(([name, one]) => wholeNumbers(one, `${place} ${name}`)),
    ...below.flatMap((one) => wholeNumbers(one, place)),
  ]
}

type Operation = {
  operationId: string
  parameters: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
}

test('a whole number that a caller sends is refused where the database could not hold it', async () => {
  const services = await chosenServices(undefined)
  const operations = services.flatMap(({ contract }) =>
    Object.values(openapiOf(contract.base, [contract]).paths).flatMap(
      (methods) => Object.values(methods) as Operation[],
    ),
  )
  const asked = operations.flatMap(({ operationId, parameters, requestBody }) => [
    ...parameters.flatMap((one) =>
      wholeNumbers(one.schema, `${operationId} ${one.in} ${one.name}`),
    ),
    ...wholeNumbers(requestBody?.content['application/json'].schema, `${operationId} body`),
  ])
  expect(asked.length).toBeGreaterThan(100)
  const tooLarge = asked.filter(([, maximum]) => maximum > 2 ** 31 - 1).map(([place]) => place)
  const known = (place: string) =>
    [place, place.split(' ').at(-1) ?? ''].some((one) => one in large)
  expect(tooLarge.filter((place) => !known(place))).toEqual([])
})
