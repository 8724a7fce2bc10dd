import { exclamation, severityOutlines } from '../../parts/alarms/severity-shapes.ts'
import { severityName } from '../../parts/alarms/severity.ts'
import { type Cluster, type State, states, widthOf } from './cluster-rules.ts'
import marker from './marker.module.css'
import classes from './marker-element.module.css'

const namespace = 'http://www.w3.org/2000/svg'
/** A shape for each state, so that colour is not all that tells them apart. */
export const shapes: Record<State, string> = {
  error: 'M5 .2 9.8 5 5 9.8.2 5Z',
  offline:
    'M5 .6a4.4 4.4 0 1 0 0 8.8a4.4 4.4 0 1 0 0-8.8ZM5 2.8a2.2 2.2 0 1 1 0 4.4a2.2 2.2 0 1 1 0-4.4Z',
  never: 'M1 1h8v8H1ZM3 3v4h4V3Z',
  online: 'M5 .6a4.4 4.4 0 1 0 0 8.8a4.4 4.4 0 1 0 0-8.8Z',
}

const colorOf: Record<State, string> = {
  error: 'var(--lr-alarm)',
  offline: 'var(--lr-off)',
  never: 'var(--map-never)',
  online: 'var(--lr-ok)',
}

/** Element of a cluster or device on the map; `name` is its name for assistive software. */
export function markerElement(cluster: Cluster, name: string, number: string) {
  const element = document.createElement('button')
  element.type = 'button'
  element.className = marker.marker ?? ''
  // The list beside the map is the way of the keyboard: it has them all in order.
  element.tabIndex = -1
  element.setAttribute('aria-label', name)
  const body = document.createElement('span')
  const px = widthOf(cluster)
  body.className = (cluster.device ? marker.pin : marker.cluster) ?? ''
  body.dataset['state'] = cluster.worst
  body.style.width = `${px}px`
  body.style.height = `${px}px`
  if (cluster.alarm !== undefined) element.append(alarmMark(cluster.alarm))
  if (cluster.device) {
    body.append(shape(cluster.worst, 10))
    element.append(body, labelElement(cluster.device.label))
    return element
  }
  body.style.setProperty('--ring', ringOf(cluster))
  const count = document.createElement('span')
  count.className = classes.count ?? ''
  count.textContent = number
  body.append(shape(cluster.worst, 8), count)
  element.append(body)
  return element
}

/** Mark of the worst open alarm, at the edge of a cluster or device. */
function alarmMark(severity: number) {
  const name = severityName(severity)
  const box = document.createElement('span')
  box.className = marker.alarm ?? ''
  box.dataset['severity'] = name
  const svg = document.createElementNS(namespace, 'svg')
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.setAttribute('aria-hidden', 'true')
  const outline = document.createElementNS(namespace, 'path')
  outline.setAttribute('d', severityOutlines[name])
  outline.setAttribute('fill-rule', 'evenodd')
  svg.append(outline)
  if (name === 'critical') {
    const sign = document.createElementNS(namespace, 'path')
    sign.setAttribute('d', exclamation)
    sign.setAttribute('class', marker.alarmSign ?? '')
    svg.append(sign)
  }
  box.append(svg)
  return box
}

function labelElement(label: string) {
  const text = document.createElement('span')
  text.className = marker.pinLabel ?? ''
  text.textContent = label
  return text
}

function shape(state: State, px: number) {
  const svg = document.createElementNS(namespace, 'svg')
  svg.setAttribute('viewBox', '0 0 10 10')
  svg.setAttribute('width', String(px))
  svg.setAttribute('height', String(px))
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(namespace, 'path')
  path.setAttribute('d', shapes[state])
  path.setAttribute('fill', 'currentColor')
  path.setAttribute('fill-rule', 'evenodd')
  svg.append(path)
  return svg
}

/** The ring around a cluster: each state's share, the worst at the top. */
function ringOf({ count, states: figures }: Cluster) {
  let from = 0
  const parts = states.flatMap((state) => {
    if (figures[state] === 0) return []
    const to = from + (figures[state] / count) * 100
    const part = `${colorOf[state]} ${from.toFixed(1)}% ${to.toFixed(1)}%`
    from = to
    return [part]
  })
  return `conic-gradient(${parts.join(', ')})`
}
