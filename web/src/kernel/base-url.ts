/**
 * The address of the service, also below a path of a proxy. The element `base` of the page is relative to the address
 * of the page; it is made absolute, because the router changes that address.
 */
const base = new URL('.', document.baseURI).href
const element = document.querySelector('base')
if (element) element.href = base

export const BASE_URL = base.replace(/\/$/, '')
