import { begin } from './app/begin.tsx'

void begin()
