import { coreContract } from '@longreach/core/contract'
import type { Contract } from '@longreach/kit/contract'
import { mappingsContract } from '@longreach/mappings/contract'
import { platformContract } from '@longreach/platform/contract'
import { expect, test } from 'vitest'

const unasked = ({ endpoints }: Contract, call: string, part: 'query' | 'body') =>
  endpoints[call]?.[part]?.parse({})

test('lists that are asked for without a size have the specified one [N-02 in part]', () => {
  expect(unasked(platformContract, 'status', 'query')).toMatchObject({ limit: 1000 })
  expect(unasked(platformContract, 'connections', 'query')).toMatchObject({ limit: 1000 })
  expect(unasked(platformContract, 'deviceLog', 'query')).toMatchObject({ limit: 1000 })
  expect(unasked(coreContract, 'applicationPermissions', 'query')).toMatchObject({ pageSize: 500 })
  expect(unasked(mappingsContract, 'searchModelPaths', 'body')).toMatchObject({
    page: 0,
    pageSize: 100,
  })
})
