import { afterEach, beforeEach, expect, test } from 'vitest'
import { desktop, phone } from '../../page-testing.tsx'
import { drawFrame, keepHeading } from './known-frame.ts'

let root: HTMLElement
beforeEach(async () => {
  await desktop()
  localStorage.clear()
  sessionStorage.clear()
  document.title = 'Longreach'
  root = document.body.appendChild(document.createElement('div'))
})
afterEach(() => root.remove())

const backgrounds = () =>
  [...root.querySelectorAll('div')].map((one) => getComputedStyle(one).backgroundColor)

test('a reload shows menu, bar and heading of before in the colours of the scheme, and the title', () => {
  history.replaceState(null, '', '/devices/7')
  keepHeading('Press 7')
  drawFrame(root, 'dark')
  expect(root.textContent).toBe('Press 7')
  expect(document.title).toBe('Press 7 · Longreach')
  expect(backgrounds()).toContain('rgb(10, 14, 21)') // menu
  expect(root.firstElementChild?.getAttribute('aria-hidden')).toBe('true')
})

test('the heading of another page is not shown', () => {
  history.replaceState(null, '', '/devices/7')
  keepHeading('Press 7')
  history.replaceState(null, '', '/devices')
  drawFrame(root, 'light')
  expect(root.textContent).toBe('')
  expect(document.title).toBe('Longreach')
})

test('where the menu was hidden, and on a phone, there is none', async () => {
  localStorage.setItem('longreach.menu', 'false')
  drawFrame(root, 'light')
  expect(backgrounds()).not.toContain('rgb(17, 26, 43)')
  localStorage.clear()
  root.replaceChildren()
  await phone()
  drawFrame(root, 'light')
  expect(backgrounds()).not.toContain('rgb(17, 26, 43)')
})
