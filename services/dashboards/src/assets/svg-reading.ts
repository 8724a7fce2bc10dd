import { readFile, writeFile } from 'node:fs/promises'
import {
  isSafeSvgValue,
  isSvgDataPicture,
  isSvgFragment,
  svgAttributes,
  svgElements,
  svgProperties,
} from '@longreach/board/svg-allowed'
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes'
import { createReferences } from './svg-references.ts'
import { safeDeclarations, safeStyleSheet } from './svg-style.ts'

/** Part of a drawing that was left out, and how often. */
export type SvgLoss = {
  kind: 'element' | 'attribute' | 'property' | 'rule' | 'doctype'
  name: string
  count: number
}
export type ReadSvg = { text: string; losses: SvgLoss[] } | { fault: string }

const namespaces = { svg: 'http://www.w3.org/2000/svg', xlink: 'http://www.w3.org/1999/xlink' }
const limits = { elements: 50_000, depth: 100, losses: 100 }

/** Reads a drawing and writes what is allowed in it into a file: a task for a thread. */
export async function rewriteSvg(source: string, into: string) {
  const content = await readFile(source)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return { fault: 'it is not UTF-8' } // the decoder refuses other bytes
  }
  const read = readSvg(text)
  if ('fault' in read) return read
  await writeFile(into, read.text)
  return { losses: read.losses }
}

class SvgFault extends Error {}

/** Drawing with the elements and attributes of the allow-list alone, and what was left out. */
export function readSvg(text: string): ReadSvg {
  const writer = createWriter()
  const parser = new SaxesParser({ xmlns: true, position: true })
  parser.on('error', (error) => {
    throw new SvgFault(error.message)
  })
  parser.on('doctype', (doctype) => {
    // Entities are declared there; a drawing that needs them is refused, by the parser at the latest.
    if (doctype.includes('[')) throw new SvgFault('it declares entities in its DOCTYPE')
    writer.lost('doctype', 'DOCTYPE')
  })
  parser.on('opentag', (tag) => writer.open(tag))
  parser.on('closetag', () => writer.close())
  parser.on('text', (content) => writer.text(content))
  parser.on('cdata', (content) => writer.text(content))
  try {
    parser.write(text).close()
  } catch (error) {
    if (error instanceof SvgFault) return { fault: error.message }
    throw error
  }
  return writer.end()
}

type Open = { name: string; isLeftOut: boolean; style: string; ended: () => void }

function createWriter() {
  const out: string[] = []
  const open: Open[] = []
  const losses = new Map<string, SvgLoss>()
  const references = createReferences()
  let elements = 0

  const lost = (kind: SvgLoss['kind'], name: string) => {
    const key = `${kind} ${name}`
    const known = losses.get(key)
    if (known) known.count += 1
    else if (losses.size < limits.losses)
      losses.set(key, { kind, name: name.slice(0, 80), count: 1 })
  }

  return {
    lost,
    open(tag: SaxesTagNS) {
      elements += 1
      requireFewElements(elements, open.length)
      const isRoot = open.length === 0
      if (isRoot) requireSvg(tag)
      const isInside = open.at(-1)?.isLeftOut === true
      if (isInside || !isDrawing(tag)) {
        if (!isInside) lost('element', tag.name)
        open.push({ name: '', isLeftOut: true, style: '', ended: () => undefined })
        return
      }
      // A link does nothing in a picture; what it surrounds is drawn.
      const name = tag.local === 'a' ? 'g' : tag.local
      const attributes = attributesOf(tag, lost)
      const ended = references.begin(attributes.get('id'), referencesOf(attributes))
      const xmlns = isRoot ? ` xmlns="${namespaces.svg}"` : ''
      const written = [...attributes].map(([key, value]) => ` ${key}="${escaped(value)}"`)
      out.push(`<${name}${xmlns}${written.join('')}>`)
      open.push({ name, isLeftOut: false, style: '', ended })
    },
    text(content: string) {
      const top = open.at(-1)
      if (!top || top.isLeftOut) return
      if (top.name === 'style') top.style += content
      else out.push(escaped(content))
    },
    close() {
      const top = open.pop()
      if (!top || top.isLeftOut) return
      if (top.style !== '') out.push(escaped(safeStyleSheet(top.style, lost)))
      top.ended()
      out.push(`</${top.name}>`)
    },
    end(): ReadSvg {
      if (references.isTooLarge())
        return { fault: 'its references lead into themselves, or to too many elements' }
      return { text: out.join(''), losses: [...losses.values()] }
    },
  }
}

function requireFewElements(elements: number, depth: number) {
  if (elements > limits.elements) throw new SvgFault(`it has more than ${limits.elements} elements`)
  if (depth >= limits.depth) throw new SvgFault(`it is nested deeper than ${limits.depth}`)
}

function requireSvg(tag: SaxesTagNS) {
  if (tag.local !== 'svg' || !isDrawing(tag)) throw new SvgFault('its root is no svg element')
}

const isDrawing = ({ local, uri }: SaxesTagNS) =>
  svgElements.has(local) && (uri === namespaces.svg || uri === '')

type LostAttribute = (kind: 'attribute' | 'property' | 'rule', name: string) => void

/** Attributes of an element that are allowed, by their names; `xlink:href` becomes `href`. */
function attributesOf(tag: SaxesTagNS, lost: LostAttribute) {
  const kept = new Map<string, string>()
  for (const attribute of Object.values(tag.attributes)) {
    const { name, value } = attribute
    if (attribute.prefix === 'xmlns' || name === 'xmlns') continue
    if (isLink(attribute)) {
      if (isSafeLink(tag.local, value.trim())) kept.set('href', value.trim())
      else lost('attribute', name)
    } else if (name === 'style') {
      const style = safeDeclarations(value, lost)
      if (style !== '') kept.set(name, style)
    } else if (isSafeAttribute(attribute)) kept.set(name, value)
    else lost('attribute', name)
  }
  return kept
}

const isLink = ({ local, uri }: SaxesAttributeNS) =>
  local === 'href' && (uri === '' || uri === namespaces.xlink)

function isSafeAttribute({ name, uri, value }: SaxesAttributeNS) {
  if (name === 'xml:space') return /^(preserve|default)$/.test(value)
  return uri === '' && isAllowed(name) && isSafeSvgValue(value)
}

const isAllowed = (name: string) => svgAttributes.has(name) || svgProperties.has(name)

const isSafeLink = (element: string, href: string) =>
  isSvgFragment(href) || (element === 'image' && isSvgDataPicture(href))

/** Ids that the attributes of an element refer to. */
function referencesOf(attributes: ReadonlyMap<string, string>) {
  return [...attributes].flatMap(([name, value]) => {
    if (name === 'href') return isSvgFragment(value) ? [value.slice(1)] : []
    return [...value.matchAll(/url\(\s*["']?#([\w.:-]+)/gi)].flatMap(([, id]) => id ?? [])
  })
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (one) => escapes[one] ?? one)
