import { expect, test } from 'vitest'
import { scanXml } from './xml-scan.ts'

function heardIn(xml: string) {
  const heard: string[] = []
  const whole = scanXml(xml, {
    open: (name, attributes) =>
      heard.push(
        `<${[name, ...[...attributes].map(([key, value]) => `${key}=${value}`)].join(' ')}>`,
      ),
    close: (name) => heard.push(`</${name}>`),
    text: (text) => heard.push(text),
  })
  return { heard, whole }
}

test('elements, texts and attributes are told in their order', () => {
  expect(heardIn('<a x="1" y=\'two\'>one<b/>two</a>')).toEqual({
    heard: ['<a x=1 y=two>', 'one', '<b>', '</b>', 'two', '</a>'],
    whole: true,
  })
})

test('names come without their prefix, those of attributes too', () => {
  expect(heardIn('<x:c xmlns:x="m" x:r="A1"></x:c>').heard[0]).toBe('<c x=m r=A1>')
})

test('what is no content is passed over: a mark of bytes, instructions and comments', () => {
  const xml = '\uFEFF<?xml version="1.0"?><!-- <b> --><a>t</a>'
  expect(heardIn(xml)).toEqual({ heard: ['<a>', 't', '</a>'], whole: true })
})

test('named and numbered signs are read, in texts and in attributes', () => {
  const { heard } = heardIn('<a t="&quot;x&apos;">&lt;&amp;&gt; &#65;&#x42; &#x1F600;</a>')
  expect(heard).toEqual([`<a t="x'>`, '<&> AB 😀', '</a>'])
})

test('a sign that does not exist stays as it is written', () => {
  expect(heardIn('<a>&none; &#x110000;</a>').heard[1]).toBe('&none; &#x110000;')
})

test('in a literal section nothing is read as an element', () => {
  expect(heardIn('<a><![CDATA[<b>&amp;]]></a>').heard).toEqual(['<a>', '<b>&amp;', '</a>'])
})

test.each([
  ['an element that is not closed', '<a><b></b>'],
  ['one closed too often', '<a></a></a>'],
  ['a document type, which could name files', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>'],
  ['a text that ends inside of a tag', '<a><b x="1'],
  ['a lonely sign', '<a>1 < 2</a>'],
])('%s is no document', (_, xml) => expect(heardIn(xml).whole).toBe(false))

test('a sign > within quotes does not end a tag', () => {
  expect(heardIn('<a t="1>0">x</a>').heard).toEqual(['<a t=1>0>', 'x', '</a>'])
})
