import { Link } from '@tanstack/react-router'
import { IconCpu } from '@tabler/icons-react'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { answer, openPortal, session } from '../../page-testing.tsx'
import { routerSearch } from '../../parts/pages/page-links.ts'
import type { Asked, Section } from '../../parts/pages/section.ts'

let asked: Asked[] = []
beforeEach(() => {
  asked = []
  answer({})
})

const List = () => (
  <>
    <h1>Pumps</h1>
    <Link to="/pumps/7">Pump 7</Link>
    <Link to="/pumps" search={routerSearch({ q: 'x' })}>
      Search x
    </Link>
  </>
)

const pumps: Section = {
  id: 'devices',
  path: '/pumps',
  icon: IconCpu,
  name: { en: 'Pumps', de: 'Pumpen', es: 'Bombas', fr: 'Pompes', it: 'Pompe' },
  permissions: [['devices:read']],
  words: [],
  pages: [
    { path: '/pumps', load: async () => ({ Component: List, loader: (one) => asked.push(one) }) },
    {
      path: '/pumps/$pump',
      load: async () => ({ Component: () => <h1>Pump</h1>, loader: (one) => asked.push(one) }),
    },
    {
      path: '/pumps/secret',
      permissions: [['roles:delete']],
      load: async () => ({ Component: () => <h1>Secret</h1>, loader: (one) => asked.push(one) }),
    },
  ],
}

test('a page starts its calls with its address and the organization when it is entered, and once', async () => {
  await openPortal('/pumps?q=a', { sections: [pumps] })
  await expect.element(page.getByRole('heading', { name: 'Pumps' })).toBeVisible()
  expect(asked).toEqual([{ org: 'nordwerk', reach: 'nordwerk.*', params: {}, search: { q: 'a' } }])
  await page.getByRole('link', { name: 'Search x' }).click()
  await expect.poll(() => location.search).toBe('?q=x')
  expect(asked).toHaveLength(1)
})

test('a link that is pointed at brings the page, and its calls start when it is opened', async () => {
  await openPortal('/pumps', { sections: [pumps] })
  const link = page.getByRole('link', { name: 'Pump 7' })
  await link.hover()
  await link.click()
  await expect.element(page.getByRole('heading', { name: 'Pump', exact: true })).toBeVisible()
  expect(asked.map(({ params }) => params)).toEqual([{}, { pump: '7' }])
})

test('a page that may not be entered starts no calls', async () => {
  const who = session({ permissions: new Set(['portal:access', 'devices:read']) })
  await openPortal('/pumps/secret', { sections: [pumps], who })
  await expect.poll(() => location.pathname).not.toBe('/pumps/secret')
  expect(asked.map(({ params }) => params)).not.toContainEqual({ pump: 'secret' })
})
