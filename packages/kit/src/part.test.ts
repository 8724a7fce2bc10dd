import { expect, test } from 'vitest'
import { z } from 'zod'
import { assemble } from './assemble.ts'
import { defineContract, definePartContract, joinContracts } from './contract.ts'
import { on, publish } from './events.ts'
import { definePart } from './part.ts'
import { type Deps, defineService } from './service.ts'
import { person, testServer } from './testing.ts'

const migrations = new URL('test-migrations/', import.meta.url)
const service = { service: 'bakery', base: '/svc/bakery/api/v1' } as const
const call = (path: string) =>
  ({ method: 'GET', path, access: 'public', result: z.array(z.string()) }) as const
const baked = { topic: 'bakery.baked', payload: z.object({ loaf: z.string() }) } as const

const ovenContract = definePartContract({
  endpoints: { bake: { ...call('/bake'), query: z.object({ loaf: z.string() }) } },
  errors: { too_hot: 422 },
  events: { baked },
})
const shopContract = definePartContract({ endpoints: { loaves: call('/loaves') } })
const bakeryContract = joinContracts({ ...service, errors: { closed: 409 } }, [
  ovenContract,
  shopContract,
])

type BakeryDeps = Deps<unknown>

/** Two parts that write into `told` when their states are made and closed. */
function bakery(told: string[]) {
  const stateOf = (name: string) => {
    told.push(`${name} made`)
    return { loaves: [] as string[], close: () => void told.push(`${name} closed`) }
  }
  const oven = definePart<BakeryDeps>()({
    name: 'oven',
    contract: ovenContract,
    state: () => stateOf('oven'),
    handlers: ({ state, db }) => ({
      bake: async ({ query: { loaf } }) => {
        state.loaves.push(loaf)
        await publish(db, baked, { loaf })
        return state.loaves
      },
    }),
    consumers: ({ state }) => [on(baked, async ({ loaf }) => void state.loaves.push(`${loaf}!`))],
  })
  const shop = definePart<BakeryDeps>()({
    name: 'shop',
    contract: shopContract,
    uses: [oven],
    state: ({ used }) => ({ ...stateOf('shop'), sold: used.oven.loaves }),
    handlers: ({ state, used }) => ({ loaves: async () => [...state.sold, ...used.oven.loaves] }),
    consumers: ({ used }) => [
      on(baked, async ({ loaf }) => void used.oven.loaves.push(`${loaf} sold`)),
    ],
  })
  return { oven, shop }
}

test('a state is made once, shared with the parts that use it, and closed after them', async () => {
  const told: string[] = []
  const { oven, shop } = bakery(told)
  const parts = [oven, shop] as const
  const server = await testServer([
    defineService({ contract: bakeryContract, needs: {}, migrations, parts }),
  ])
  const caller = server.as(person('anna', 'nordwerk'), bakeryContract)
  expect(await caller.bake({ query: { loaf: 'rye' } })).toEqual(['rye'])
  expect(await caller.loaves({})).toEqual(['rye', 'rye'])
  await server.settle()
  expect((await caller.loaves({})).slice(0, 3), 'both parts hear the event').toEqual([
    'rye',
    'rye!',
    'rye sold',
  ])
  await server.close()
  expect(told).toEqual(['oven made', 'shop made', 'shop closed', 'oven closed'])
})

test('work of every interval and started work run until they are closed, the last first', async () => {
  const told: string[] = []
  const { oven } = bakery([])
  const round = Promise.withResolvers<void>()
  const cleaning = definePart<BakeryDeps>()({
    name: 'cleaning',
    uses: [oven],
    every: {
      hour: async () => {
        told.push('cleaned')
        await round.promise
        told.push('cleaning ended')
      },
    },
    start: async () => {
      told.push('started')
      return { close: async () => void told.push('stopped') }
    },
  })
  const contract = joinContracts({ ...service, errors: {} }, [ovenContract])
  const parts = [oven, cleaning] as const
  const server = await testServer([defineService({ contract, needs: {}, migrations, parts })])
  const running = await server.start()
  await expect.poll(() => told).toEqual(['started', 'cleaned'])
  const closing = running.close()
  round.resolve()
  await closing
  expect(told).toEqual(['started', 'cleaned', 'cleaning ended', 'stopped'])
  await server.close()
})

test('two parts with the same call or event, or two statuses of an error, are refused', () => {
  const join = (...parts: Parameters<typeof joinContracts>[1]) => joinContracts(service, parts)
  expect(() => join(shopContract, { endpoints: { loaves: call('/others') } })).toThrow(
    'bakery: two parts have loaves',
  )
  expect(() => join({ events: { baked } }, { events: { baked } })).toThrow('two parts have baked')
  expect(() => join({ errors: { closed: 409 } }, { errors: { closed: 422 } })).toThrow(
    'closed has two statuses',
  )
  expect(join({ errors: { closed: 409 } }, { errors: { closed: 409 } }).errors).toEqual({
    closed: 409,
  })
})

const deps = {} as BakeryDeps // no state of these parts reads it
const start = (parts: Parameters<typeof assemble>[0] & { parts: unknown }) => assemble(parts, deps)

test('a part after one that uses it is refused, and so is a circle', () => {
  const { oven, shop } = bakery([])
  const of = (...parts: (typeof oven | typeof shop)[]) =>
    start({ contract: bakeryContract, needs: {}, migrations, parts })
  expect(() => of(shop, oven)).toThrow('shop uses oven, which is not a part before it')
  const circle = { ...oven, uses: [shop] } as unknown as typeof oven // no const can name a later one
  expect(() => of(circle, shop)).toThrow('oven uses shop')
  expect(() => of(oven, oven)).toThrow('bakery: two parts are oven')
})

test('a call without a handler, or with two, is refused', () => {
  const { oven, shop } = bakery([])
  const { handlers: _, ...silent } = shop
  const of = (...parts: (typeof oven | typeof shop | typeof silent)[]) =>
    start({ contract: bakeryContract, needs: {}, migrations, parts })
  expect(() => of(oven, silent)).toThrow('bakery.loaves has no handler')
  expect(() => of(oven, shop, { ...shop, name: 'shop' as const, uses: [oven] })).toThrow(
    'two parts',
  )
  const other = { ...shop, contract: {} } as unknown as typeof shop // the compiler asks for the call
  expect(() => of(oven, other)).toThrow('shop handles loaves, which is not in its contract')
})

// oxlint-disable-next-line vitest/expect-expect -- the compiler judges the lines that are expected to fail
test('the compiler refuses a part without handlers, a missing part, and a state that is not used', () => {
  const { oven } = bakery([])
  const contract = bakeryContract
  // @ts-expect-error -- `shop` is missing: no part has the call `loaves`
  defineService({ contract, needs: {}, migrations, parts: [oven] })
  // @ts-expect-error -- the contract has a call, so handlers are needed
  definePart<BakeryDeps>()({ name: 'shop', contract: shopContract })
  definePart<BakeryDeps>()({
    name: 'shop',
    contract: shopContract,
    // @ts-expect-error -- `oven` is not in `uses`
    handlers: ({ used }) => ({ loaves: async () => used.oven.loaves }),
  })
})

test('a contract of parts has the types of a contract in one piece', () => {
  const whole = defineContract({
    ...service,
    errors: { closed: 409, too_hot: 422 },
    endpoints: { ...ovenContract.endpoints, ...shopContract.endpoints },
    events: { baked },
  })
  const same: typeof whole = bakeryContract
  expect(same).toEqual(whole)
})
