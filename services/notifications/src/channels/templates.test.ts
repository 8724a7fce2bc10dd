import { expect, test } from 'vitest'
import { renderTemplate, templateFault } from './templates.ts'

const tooLong = 'the text is longer than 64 kB'

test('a text of 64 kB is written, and a longer one is an error whether values or the template make it long', () => {
  const subject = 'x'.repeat(64_000)
  expect(renderTemplate('{{subject}}', { subject }, 'plain')).toBe(subject)
  expect(() => renderTemplate('{{subject}}!', { subject }, 'plain')).toThrow(tooLong)
  // Escaping makes it longer: the text that goes out counts.
  const signs = '"'.repeat(32_001)
  expect(() => renderTemplate('{{subject}}', { subject: signs }, 'json')).toThrow(tooLong)
  // 1,500 times 1,000 characters, and the same by a list.
  const value = { subject: 'x'.repeat(1_000) }
  expect(() => renderTemplate('{{subject}}'.repeat(1_500), value, 'plain')).toThrow(tooLong)
  const alarms = Array.from({ length: 100 }, () => ({ name: 'x'.repeat(10_000) }))
  const list = '{{#alarms}}{{name}}{{/alarms}}'
  expect(() => renderTemplate(list, { alarms }, 'markdown')).toThrow(tooLong)
  expect(() =>
    renderTemplate(`{{#alarms}}${'y'.repeat(900)}{{/alarms}}`, { alarms }, 'plain'),
  ).toThrow(tooLong)
})

test('a template that is too long, or nests lists, is refused with its line', () => {
  expect(templateFault('x'.repeat(20_000), 'plain')).toBeUndefined()
  expect(templateFault('x'.repeat(20_001), 'plain')).toEqual({
    line: 1,
    message: 'is longer than 20,000 characters',
  })
  const long = '{{subject}}'.repeat(1_800)
  expect(templateFault(long, 'markdown')).toBeUndefined()
  const deep = '{{#alarms}}'.repeat(1_000) + '{{/alarms}}'.repeat(800)
  expect(templateFault(deep, 'plain')).toMatchObject({ line: 1 })
  const loops = `\n{{#alarms}}{{#alarms}}{{name}}{{/alarms}}{{/alarms}}`
  expect(templateFault(loops, 'plain')).toEqual({ line: 2, message: 'alarms contains no alarms' })
})
