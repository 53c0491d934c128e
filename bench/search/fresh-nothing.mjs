// What Node takes to do nothing.
