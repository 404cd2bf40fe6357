import { describe, expect, it } from 'vitest'
import { similarName } from './similar-name.ts'

const NAMES = ['HOST', 'PORT', 'MQTT_PORT', 'MQTT_URL', 'DATABASE_URL', 'ROLES', 'SECRET_KEY']

describe('a similar name', () => {
  it.each([
    ['PROT', 'PORT'],
    ['PORTS', 'PORT'],
    ['port', 'PORT'],
    ['ROLE', 'ROLES'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASEURL', 'DATABASE_URL'],
    ['MQQT_PROT', 'MQTT_PORT'],
    ['SECRETKEY', 'SECRET_KEY'],
  ])('of %s is %s', (name, expected) => expect(similarName(name, NAMES)).toBe(expected))

  it.each(['HOME', 'PATH', 'HOSTNAME', 'SHELL', 'MQTT_PASSWORD', 'KEY', ''])('of %s is none', (name) =>
    expect(similarName(name, NAMES)).toBeUndefined(),
  )
})
