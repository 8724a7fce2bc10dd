import 'reflect-metadata'
import { createPrivateKey, sign } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import {
  deviceCertificateOf,
  importKey,
  readCertificate,
} from '../../services/platform/src/pairing/certificate-authority-x509.ts'

type Authority = { id: string; certificate: string; pkcs8: Buffer }
type Named = { commonName: string; serial: string }

const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/**
 * Maker of device certificates of an authority with one key for all, for common names of one length. The first is
 * made as pairing makes it; others differ in name and serial number, and are signed again: making each takes 4 ms.
 */
export async function createCertificates({ id, certificate, pkcs8 }: Authority, sample: string) {
  const keys = await crypto.subtle.generateKey(ecdsa, true, ['sign', 'verify'])
  const publicKey = new x509.PublicKey(await crypto.subtle.exportKey('spki', keys.publicKey))
  const own = readCertificate(certificate)
  if (!own) throw new Error('the authority cannot be read')
  const signer = { id, certificate: own, key: await importKey(pkcs8) }
  const made = await deviceCertificateOf(
    signer,
    { publicKey, subject: [{ CN: [sample] }] },
    new Date(),
  )
  const template = Buffer.from(made.rawData)
  const body = elementAt(template, elementAt(template, 0).from)
  const signed = template.subarray(body.at, body.to)
  const algorithm = elementAt(template, body.to)
  const nameAt = signed.indexOf(sample)
  const serialAt = signed.indexOf(Buffer.from(made.serialNumber, 'hex'))
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  return {
    notAfter: made.notAfter,
    make({ commonName, serial }: Named) {
      const text = Buffer.from(signed)
      text.write(commonName, nameAt)
      text.write(serial, serialAt, 'hex')
      const signature = bitString(sign('sha256', text, key))
      const kind = template.subarray(algorithm.at, algorithm.to)
      return sequence(Buffer.concat([text, kind, signature]))
    },
  }
}

/** Element of DER at a place, and where its contents begin. */
function elementAt(bytes: Buffer, at: number) {
  const first = bytes[at + 1] ?? 0
  const more = first < 0x80 ? 0 : first & 0x7f
  const size = more === 0 ? first : bytes.readUIntBE(at + 2, more)
  const from = at + 2 + more
  return { at, from, to: from + size }
}

const sequence = (contents: Buffer) => {
  const head = Buffer.from([0x30, 0x82, 0, 0])
  head.writeUInt16BE(contents.length, 2)
  return Buffer.concat([head, contents])
}

const bitString = (contents: Buffer) =>
  Buffer.concat([Buffer.from([0x03, contents.length + 1, 0]), contents])
