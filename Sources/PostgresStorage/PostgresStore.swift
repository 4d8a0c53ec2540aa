internal import CPostgreSQL
