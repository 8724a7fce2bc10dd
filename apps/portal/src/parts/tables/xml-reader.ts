import { SaxesParser } from 'saxes'

/** Listener to a document, in its order; names come without their prefix. */
export type XmlListener = {
  open?: (name: string, attributes: ReadonlyMap<string, string>) => void
  close?: (name: string) => void
  text?: (text: string) => void
}
/** Fault of a document that is not XML, or that declares a document type. */
export class XmlFault extends Error {}

const none: ReadonlyMap<string, string> = new Map()

/**
 * Reader of an XML document that comes in pieces. Document types are refused, and with them
 * entities, so that a text is never longer than what was written.
 */
export function createXmlReader({ open, close, text }: XmlListener) {
  const parser = new SaxesParser({ position: false })
  let attributes = new Map<string, string>()
  parser.on('error', ({ message }) => {
    throw new XmlFault(message)
  })
  parser.on('doctype', () => {
    throw new XmlFault('document types are not read')
  })
  parser.on('attribute', ({ name, value }) => attributes.set(localName(name), value))
  parser.on('opentag', ({ name }) => {
    const isPlain = attributes.size === 0
    open?.(localName(name), isPlain ? none : attributes)
    if (!isPlain) attributes = new Map()
  })
  parser.on('closetag', ({ name }) => close?.(localName(name)))
  parser.on('text', (piece) => text?.(piece))
  parser.on('cdata', (piece) => text?.(piece))
  return { write: (piece: string) => void parser.write(piece), end: () => void parser.close() }
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)
